// What a terminal is given when it starts.

#pragma once

#include <chrono>
#include <cstddef>

namespace terminal {

struct TerminalSettings {
  std::chrono::milliseconds orphan_grace{0};  // 0: orphans stay forever.
  std::size_t input_limit = 8 * 1024 * 1024;
  bool leases_yield = true;  // To people who type.
};

}  // namespace terminal
