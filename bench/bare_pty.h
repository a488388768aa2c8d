// What the keeper is compared with: a program on a PTY, and one process that reads it in a loop and
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

// Starts a program on a PTY of its own.
[[nodiscard]] BarePty start_on_pty(const std::vector<std::string>& argv);

// Reads until the program has closed the PTY; returns how many bytes came.
[[nodiscard]] std::uint64_t read_to_end(const BarePty& pty);

}  // namespace bench
