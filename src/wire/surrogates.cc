#include "wire/surrogates.h"

#include <charconv>
#include <cstddef>
#include <cstdint>

namespace wire {
namespace {

constexpr std::size_t kEscapeLength = 6;  // \ud83d

// The code of the \u escape at `at`, or 0 if there is none.
std::uint32_t escaped_at(std::string_view json, std::size_t at) {
  if (json.size() < at + kEscapeLength || json[at] != '\\' || json[at + 1] != 'u') return 0;
  const char* const begin = json.data() + at + 2;
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(begin, begin + 4, code, 16);
  return error == std::errc() && end == begin + 4 ? code : 0;
}

bool is_high(std::uint32_t code) {
  return code >= 0xd800 && code < 0xdc00;
}

bool is_low(std::uint32_t code) {
  return code >= 0xdc00 && code < 0xe000;
}

}  // namespace

std::string without_lone_surrogates(std::string_view json) {
  std::string repaired(json);
  for (std::size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at)) {
    const std::uint32_t code = escaped_at(json, at);
    if (is_high(code) && is_low(escaped_at(json, at + kEscapeLength))) {
      at += 2 * kEscapeLength;
    } else if (is_high(code) || is_low(code)) {
      repaired.replace(at, kEscapeLength, "\\ufffd");
      at += kEscapeLength;
    } else {
      at += 2;
    }
  }
  return repaired;
}

}  // namespace wire
