#include "wire/utf8.h"

#include <algorithm>

namespace wire {
namespace {

using Form = Utf8Character::Form;

// The length of a character that starts with `lead`, and the range of its second byte. Length 0: no
// character starts with it.
struct Lead {
  std::uint8_t length;
  unsigned char second_from;
  unsigned char second_to;
};

constexpr Lead lead_of(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xc2) return {0, 0, 0};
  if (lead < 0xe0) return {2, 0x80, 0xbf};
  if (lead == 0xe0) return {3, 0xa0, 0xbf};
  if (lead == 0xed) return {3, 0x80, 0x9f};
  if (lead < 0xf0) return {3, 0x80, 0xbf};
  if (lead == 0xf0) return {4, 0x90, 0xbf};
  if (lead < 0xf4) return {4, 0x80, 0xbf};
  if (lead == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

Utf8Character character_at(const unsigned char* p, const unsigned char* end) {
  const Lead lead = lead_of(*p);
  if (lead.length == 0) return {Form::invalid, 1};
  if (lead.length == 1) return {Form::whole, 1};
  const auto room = static_cast<std::size_t>(end - p);
  if (room == 1) return {Form::cut, 1};
  if (p[1] < lead.second_from || p[1] > lead.second_to) return {Form::invalid, 1};
  for (std::uint8_t i = 2; i < lead.length; ++i) {
    if (room == i) return {Form::cut, i};
    if ((p[i] & 0xc0) != 0x80) return {Form::invalid, i};
  }
  return {Form::whole, lead.length};
}

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  const auto* const end = bytes_of(text) + text.size();
  for (const auto* p = bytes_of(text); p != end; p += character_at(p, end).length) ++count;
  return count;
}

std::string_view first_characters(std::string_view text, std::size_t most) {
  const auto* const end = bytes_of(text) + text.size();
  const auto* p = bytes_of(text);
  for (; p != end && most > 0; --most) p += character_at(p, end).length;
  return text.substr(0, static_cast<std::size_t>(p - bytes_of(text)));
}

std::string without_control_characters(std::string_view text, std::string_view instead) {
  std::string clean;
  const auto* const end = bytes_of(text) + text.size();
  for (const auto* p = bytes_of(text); p != end;) {
    const std::size_t length = character_at(p, end).length;
    const bool c0 = *p < 0x20 || *p == 0x7f;
    const bool c1 = *p == 0xc2 && p + 1 != end && p[1] >= 0x80 && p[1] < 0xa0;
    clean += c0 || c1 ? instead : std::string_view(reinterpret_cast<const char*>(p), length);
    p += length;
  }
  return clean;
}

bool has_control_characters(std::string_view text) {
  return without_control_characters(text).size() != text.size();
}

}  // namespace wire
