// Text of others, made safe for a terminal: a command line, a name, what a program said.

#pragma once

#include <string>
#include <string_view>

namespace base {

enum class Lines {
  one,   // Line ends and tabs are shown as what they are, as every control character is.
  many,  // They stay.
};

// The text with nothing in it that a terminal would act on: control characters (C0, DEL, C1),
// characters that turn the direction of text, and bytes that are not UTF-8 come as \x1b or \u202e.
[[nodiscard]] std::string printable(std::string_view text, Lines lines = Lines::one);

}  // namespace base
