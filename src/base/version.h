// This program's version, as it tells it to others.

#pragma once

#include <string_view>

namespace base {

// A function in a file of its own: tests of upgrades link programs of another version that differ
// in nothing else.
[[nodiscard]] std::string_view version();

}  // namespace base
