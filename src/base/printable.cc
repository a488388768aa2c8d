#include "base/printable.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace base {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  // In bytes; 0 if this is not UTF-8.
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {.code = lead, .length = 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t code = lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[length] || code > 0x10ffff || is_surrogate) return {};
  return {.code = code, .length = length};
}

bool turns_direction(std::uint32_t code) {
  return code == 0x061c || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x2028 || code == 0x2029;
}

}  // namespace

std::string printable(std::string_view text, Lines lines) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_of(text);
    const std::size_t length = next.length == 0 ? 1 : next.length;
    const bool is_kept = lines == Lines::many && (next.code == '\n' || next.code == '\t');
    if (next.length == 0 || (next.code < 0x80 && is_control(next.code) && !is_kept))
      fmt::format_to(std::back_inserter(safe), "\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (!is_kept && (is_control(next.code) || turns_direction(next.code)))
      fmt::format_to(std::back_inserter(safe), "\\u{:04x}", next.code);
    else
      safe += text.substr(0, length);
    text.remove_prefix(length);
  }
  return safe;
}

}  // namespace base
