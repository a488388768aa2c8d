// The snapshot: the bytes that turn a new terminal, ours or xterm.js, into this one. docs/vt.md
// describes its structure. The law: a new Screen of the same size that is fed snapshot(s) equals s;
// one of another size shows the same lines, with the cursor on the same text.

#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "vt/screen.h"

namespace vt {

inline constexpr int kAllHistory = std::numeric_limits<int>::max();

// What happens to an unfinished sequence or character in the stream.
enum class Unfinished {
  // The snapshot ends with it, and the rest of the stream continues it.
  carry,
  // The receiver continues at Screen::settled(), so what is sent again from there is left out. For
  // viewers.
  resend,
};

struct SnapshotOptions {
  int history_rows = kAllHistory;  // how many of the newest
  Unfinished unfinished = Unfinished::carry;
};

struct Checkpoint {
  std::string bytes;
  bool is_whole = true;
};

[[nodiscard]] std::string snapshot(const Screen& screen, const SnapshotOptions& options = {});

// A screen without its history, in at most `most` bytes, for Screen's constructor only. A huge
// screen in which nearly every cell has its own style or a long text may need more than that. Then
// the checkpoint has the text, or part of it, and is not whole.
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
