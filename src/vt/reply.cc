#include "vt/reply.h"

#include <algorithm>

#include "vt/sgr_writer.h"

namespace vt {

Reply& Reply::word(Word word) {
  text_ += word.text();
  return *this;
}

Reply& Reply::number(int value) {
  append_number(text_, static_cast<unsigned>(std::max(value, 0)));
  return *this;
}

Reply& Reply::hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : bytes) {
    text_ += kDigits[static_cast<unsigned char>(c) >> 4];
    text_ += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return *this;
}

Reply& Reply::color(std::uint32_t rgb) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  text_ += "rgb:";
  for (int shift = 16; shift >= 0; shift -= 8) {
    const char high = kDigits[rgb >> (shift + 4) & 15];
    const char low = kDigits[rgb >> shift & 15];
    // Sixteen bits a channel: its byte twice.
    text_.append({high, low, high, low});
    if (shift > 0) text_ += '/';
  }
  return *this;
}

Reply& Reply::style(const Style& style) {
  append_sgr(text_, style);
  return *this;
}

}  // namespace vt
