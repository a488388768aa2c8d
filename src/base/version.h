// This program's version.

#pragma once

#include <string_view>

namespace base {

// In a file of its own: upgrade tests link programs that differ only in their version.
[[nodiscard]] std::string_view version();

}  // namespace base
