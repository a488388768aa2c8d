// What a restored terminal begins with.

#pragma once

#include <string>

namespace terminal {

// Before its program's first byte it shows the saved rows at their old width, then a line that
// marks them.
struct Preamble {
  std::string rows;  // As output.
  int cols = 80;
  std::string mark;
  std::string commands{};  // From Commands::encode.
};

}  // namespace terminal
