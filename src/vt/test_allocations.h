// Counts what the program allocates with operator new. Linking test_allocations.cc replaces it.

#pragma once

#include <cstddef>

namespace vt {

// How often memory was allocated, and how many bytes are in use now.
[[nodiscard]] std::size_t allocation_count();
[[nodiscard]] std::size_t bytes_held();

}  // namespace vt
