// Text in UTF-8 where only so many bytes fit.

#pragma once

#include <cstddef>
#include <string_view>

namespace base {

// As much of the text as fits into `most` bytes, without splitting a character. Where the text is
// not UTF-8, it is cut at `most`.
[[nodiscard]] std::string_view cut_utf8(std::string_view text, std::size_t most);

}  // namespace base
