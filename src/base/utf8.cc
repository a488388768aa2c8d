#include "base/utf8.h"

namespace base {

std::string_view cut_utf8(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  // The first byte that is left out may be the second, third or fourth of a character.
  std::size_t start = most;
  while (start > 0 && most - start < 3 && (byte(start) & 0xc0) == 0x80) --start;
  const bool is_first_of_several = byte(start) >= 0xc0;
  return text.substr(0, is_first_of_several ? start : most);
}

}  // namespace base
