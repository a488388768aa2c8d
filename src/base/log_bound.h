// A log in a file that must stay small.

#pragma once

#include <cstddef>
#include <functional>

namespace base {

// Calls `full` whenever standard error, a file, has grown by about that many bytes: to put another
// file in its place. Called between two lines; it must not log.
void bound_log(std::size_t bytes, std::function<void()> full);

}  // namespace base
