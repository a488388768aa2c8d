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

// A screen without its history, for Screen's constructor alone, in at most `most` bytes: more than
// that takes a huge screen in which nearly every cell has a style of its own, or a long text. Of
// such a one it has the text, or less.
struct Checkpoint {
  std::string bytes;
  bool is_whole = true;
};
[[nodiscard]] Checkpoint checkpoint(const Screen& screen, std::size_t most);

[[nodiscard]] std::string snapshot(const Screen& screen, const SnapshotOptions& options = {});

// The same, made a little at a time. The screen must not change until it is made.
class SnapshotInSteps {
 public:
  explicit SnapshotInSteps(const Screen& screen, const SnapshotOptions& options = {});
  ~SnapshotInSteps();
  SnapshotInSteps(const SnapshotInSteps&) = delete;
  SnapshotInSteps& operator=(const SnapshotInSteps&) = delete;

  // Writes about `most` bytes of the history; the rest of the screen, which is not divided, comes
  // with the last step. True when the snapshot is made.
  [[nodiscard]] bool step(std::size_t most);
  [[nodiscard]] std::string take() { return std::move(made_); }

 private:
  friend Checkpoint checkpoint(const Screen& screen, std::size_t most);
  class Writer;

  const Screen& screen_;
  Unfinished unfinished_;
  std::unique_ptr<Writer> writer_;
  std::string made_;
};

}  // namespace vt
