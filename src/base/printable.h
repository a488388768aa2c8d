// Makes untrusted text safe for a terminal: command lines, names, program output.

#pragma once

#include <string>
#include <string_view>

namespace base {

enum class Lines {
  one,   // Newlines and tabs are escaped too.
  many,  // Newlines and tabs are kept.
};

// Escapes everything that a terminal would act on: control characters (C0, DEL, C1), characters
// that change the text direction, and bytes that are not UTF-8 become \x1b or \u202e.
[[nodiscard]] std::string printable(std::string_view text, Lines lines = Lines::one);

}  // namespace base
