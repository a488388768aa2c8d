// UTF-8 as defined by the Unicode standard (table 3-7): no overlong forms, no surrogates, nothing
// above U+10FFFF.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace wire {

struct Utf8Character {
  enum class Form : std::uint8_t {
    whole,
    invalid,  // the maximal invalid part, which becomes one U+FFFD
    cut,      // the text ends before the character does
  };
  Form form;
  std::uint8_t length;
};

// The character at `p`, which must be before `end`.
[[nodiscard]] Utf8Character character_at(const unsigned char* p, const unsigned char* end);

// The number of characters. Each invalid part counts as one.
[[nodiscard]] std::size_t count_characters(std::string_view text);

// The first `most` characters.
[[nodiscard]] std::string_view first_characters(std::string_view text, std::size_t most);

// Replaces U+0000 to U+001F and U+007F to U+009F with `instead`; by default removes them.
[[nodiscard]] std::string without_control_characters(std::string_view text,
                                                     std::string_view instead = {});

// Whether it contains U+0000 to U+001F or U+007F to U+009F.
[[nodiscard]] bool has_control_characters(std::string_view text);

}  // namespace wire
