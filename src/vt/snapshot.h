// The snapshot: the bytes that turn a fresh terminal, ours or xterm.js, into this one. Its
// structure is described in docs/vt.md. The law: a fresh Screen of the same size that is fed
// snapshot(s) equals s; one of another size shows the same lines, with the cursor on the same text.

#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "vt/screen.h"

namespace vt {

inline constexpr int kAllHistory = std::numeric_limits<int>::max();

// What becomes of a sequence or character that the stream has begun and not finished.
enum class Unfinished {
  // It ends the snapshot, so that the rest of the stream continues it.
  carry,
  // The receiver goes on at Screen::settled(), so what comes again from there is left out: for
  // viewers.
  resend,
};

struct SnapshotOptions {
  int history_rows = kAllHistory;  // the newest so many
  Unfinished unfinished = Unfinished::carry;
};

struct Checkpoint {
  std::string bytes;
  bool is_whole = true;
};

[[nodiscard]] std::string snapshot(const Screen& screen, const SnapshotOptions& options = {});

// A screen without its history, for Screen's constructor alone, in at most `most` bytes: more than
// that takes a huge screen in which nearly every cell has a style of its own, or a long text. Of
// such a one it has the text, or less, and is not whole.
[[nodiscard]] Checkpoint checkpoint(const Screen& screen, std::size_t most);

// The same, made a little at a time. The screen must not change until it is taken.
class SnapshotInSteps {
 public:
  explicit SnapshotInSteps(const Screen& screen, const SnapshotOptions& options = {});
  static SnapshotInSteps checkpoint(const Screen& screen, std::size_t most);
  SnapshotInSteps(SnapshotInSteps&&) noexcept;
  SnapshotInSteps& operator=(SnapshotInSteps&&) noexcept;
  ~SnapshotInSteps();

  // Writes about `most` bytes. True if they were the last.
  [[nodiscard]] bool step(std::size_t most);
  [[nodiscard]] Checkpoint take();

 private:
  class Writer;

  const Screen* screen_;
  Unfinished unfinished_;
  std::unique_ptr<Writer> writer_;
};

}  // namespace vt
