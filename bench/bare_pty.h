// The baseline for the keeper: a program on a PTY, and one process that reads it in a loop and
// keeps nothing.

#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/fd.h"

namespace bench {

struct BarePty {
  base::Fd master;
  pid_t pid = 0;
};

// Starts a program on its own PTY.
[[nodiscard]] BarePty start_on_pty(const std::vector<std::string>& argv);

// Reads until the program closes the PTY. Returns the number of bytes.
[[nodiscard]] std::uint64_t read_to_end(const BarePty& pty);

}  // namespace bench
