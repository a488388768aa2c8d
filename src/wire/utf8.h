// UTF-8 as the Unicode standard has it (table 3-7): no overlong forms, no surrogates, nothing above
// U+10FFFF.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wire {

struct Utf8Character {
  enum class Form : std::uint8_t {
    whole,
    invalid,  // `length` bytes are the maximal invalid part: one U+FFFD
    cut,      // the text ends before the character does
  };
  Form form;
  std::uint8_t length;
};

// The character at `p`, which is before `end`.
[[nodiscard]] Utf8Character character_at(const unsigned char* p, const unsigned char* end);

// How many characters there are; each invalid part counts as one.
[[nodiscard]] std::size_t count_characters(std::string_view text);

// Its first `most` characters.
[[nodiscard]] std::string_view first_characters(std::string_view text, std::size_t most);

// Without characters of U+0000 to U+001F and U+007F to U+009F, or with `instead` in their place.
[[nodiscard]] std::string without_control_characters(std::string_view text,
                                                     std::string_view instead = {});

// Whether it has a character of U+0000 to U+001F or U+007F to U+009F.
[[nodiscard]] bool has_control_characters(std::string_view text);

}  // namespace wire
