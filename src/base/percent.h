// Percent-encoding, as URIs have it.

#pragma once

#include <string>
#include <string_view>

namespace base {

// A percent sign that encodes nothing stays as it is.
[[nodiscard]] std::string decode_percents(std::string_view text);

}  // namespace base
