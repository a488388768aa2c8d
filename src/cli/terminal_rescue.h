// Leaves the outer terminal usable when a signal ends the process: a crash, `abort`, `terminate`,
// or one that nobody handles.
//
// Invariant: the handler calls only what is safe in a signal handler, and reads only what was
// complete before it was installed.

#pragma once

#include <termios.h>

#include <optional>
#include <string>

namespace cli {

struct Rescue {
  struct End {
    int fd = -1;
    std::optional<int> flags;  // To restore.
  };
  End input;
  End output;
  termios before{};
  std::string goodbye;  // Written first.
};

// From now on these signals do that, and then what they do by default.
void rescue_terminal(Rescue rescue);
void rescue_no_terminal();

}  // namespace cli
