// JSON escapes can name half a character, as in "\ud83d", and browsers write them so when a text
// was cut in the middle of one. The JSON parser refuses them.

#pragma once

#include <string>
#include <string_view>

namespace wire {

// `json` with each escape of a lone surrogate replaced by that of U+FFFD; every byte keeps its
// place.
[[nodiscard]] std::string without_lone_surrogates(std::string_view json);

}  // namespace wire
