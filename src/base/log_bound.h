// Keeps a log file small.

#pragma once

#include <cstddef>
#include <functional>

namespace base {

// Calls `full` whenever standard error, a file, has grown by about that many bytes, so that it can
// be replaced by another file. Called between two lines; must not log.
void bound_log(std::size_t bytes, std::function<void()> full);

}  // namespace base
