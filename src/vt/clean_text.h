// Text of a program, as people may be shown it.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vt {

// Well-formed UTF-8 without controls but line feeds and tabs, at most `most` bytes.
[[nodiscard]] std::string clean_text(std::string_view text, std::size_t most);

}  // namespace vt
