// A JSON escape can be half a character, as in "\ud83d". Browsers write that when a text was cut in
// the middle of a character, and the JSON parser refuses it.

#pragma once

#include <string>
#include <string_view>

namespace wire {

// Replaces each escape of a lone surrogate with that of U+FFFD. All other bytes keep their
// positions.
[[nodiscard]] std::string without_lone_surrogates(std::string_view json);

}  // namespace wire
