// What runs in a terminal.

#pragma once

#include <string>

namespace terminal {

// The program in the terminal's foreground.
struct Foreground {
  std::string name;   // Empty if unknown.
  bool busy = false;  // It is not the program that the terminal was created with.
};

// What runs in the terminal right now. Finding out takes system calls.
struct Activity {
  std::string working_directory;
  Foreground foreground;
};

}  // namespace terminal
