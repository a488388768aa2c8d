// The snapshot: the bytes that turn a new terminal, ours or xterm.js, into this one. docs/vt.md
// describes its structure. The law: a new Screen of the same size that is fed snapshot(s) equals s;
// one of another size shows the same lines, with the cursor on the same text.

#pragma once

#include <limits>
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

// A screen without its history, only for Screen's constructor, in at most `most` bytes. Only a huge
// screen needs more, if nearly every cell has its own style or a long text. Then the checkpoint has
// only the text, or less.
struct Checkpoint {
  std::string bytes;
  bool is_whole = true;
};
[[nodiscard]] Checkpoint checkpoint(const Screen& screen, std::size_t most);

[[nodiscard]] std::string snapshot(const Screen& screen, const SnapshotOptions& options = {});

}  // namespace vt
