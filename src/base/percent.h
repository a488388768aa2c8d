// Percent-encoding, as in URIs.

#pragma once

#include <string>
#include <string_view>

namespace base {

// A percent sign that is not part of a valid escape is kept.
[[nodiscard]] std::string decode_percents(std::string_view text);

// For a part of a path, or a value in a query.
[[nodiscard]] std::string encode_percents(std::string_view text);

}  // namespace base
