// The national and line drawing character sets that ESC ( and similar sequences designate (ISO
// 2022, VT100 to VT220). They replace ASCII characters only.

#pragma once

#include <cstdint>
#include <optional>

namespace vt {

enum class Charset : std::uint8_t {
  us,
  line_drawing,
  british,
  dutch,
  finnish,
  french,
  french_canadian,
  german,
  italian,
  norwegian,
  spanish,
  swedish,
  swiss,
};

// The set that a final byte designates, if it is known.
[[nodiscard]] std::optional<Charset> charset_of(char designator);
// A final byte that designates a set.
[[nodiscard]] char designator_of(Charset charset);
[[nodiscard]] char32_t translate(Charset charset, char ascii);
// The ASCII character that prints as `code` under this set, if there is one.
[[nodiscard]] std::optional<char> untranslate(Charset charset, char32_t code);

}  // namespace vt
