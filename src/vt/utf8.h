// UTF-8, decoded as browsers decode it: each maximal part that is malformed becomes U+FFFD, and a
// byte that breaks a character starts the next. U+FEFF is dropped, as xterm.js drops it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vt {

// Writes one to four bytes and returns the end of them.
inline char* put_utf8(char* out, char32_t code) {
  const auto put = [&out](char32_t bits) { *out++ = static_cast<char>(bits); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
  return out;
}

inline void append_utf8(std::string& out, char32_t code) {
  char bytes[4];
  out.append(bytes, put_utf8(bytes, code));
}

// Decodes and removes one well-formed character at the front of `text`. Malformed input yields
// U+FFFD and loses one byte. For text that is not a terminal's stream.
[[nodiscard]] char32_t take_utf8(std::string_view& text);

// The length of the character at `p` if it is well-formed, whole and printable, else 0. A control
// is not printable, and U+FEFF is dropped.
[[nodiscard]] inline std::size_t decode_printable(const unsigned char* p, const unsigned char* end,
                                                  char32_t& code) {
  const auto tail = [p](int i) -> char32_t { return p[i] & 0x3f; };
  const auto is_tail = [p](int i) { return (p[i] & 0xc0) == 0x80; };
  if (*p < 0x80) {
    code = *p;
    return code < 0x20 || code == 0x7f ? 0 : 1;
  }
  if (*p < 0xe0) {
    if (*p < 0xc2 || end - p < 2 || !is_tail(1)) return 0;
    code = (*p & 0x1f) << 6 | tail(1);
    return code < 0xa0 ? 0 : 2;
  }
  if (*p < 0xf0) {
    if (end - p < 3 || !is_tail(1) || !is_tail(2)) return 0;
    code = (*p & 0x0f) << 12 | tail(1) << 6 | tail(2);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < 0x800 || surrogate || code == 0xfeff ? 0 : 3;
  }
  if (*p >= 0xf8 || end - p < 4 || !is_tail(1) || !is_tail(2) || !is_tail(3)) return 0;
  code = (*p & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3);
  return code < 0x10000 || code > 0x10ffff ? 0 : 4;
}

// Appends `bytes`, with U+FFFD for each maximal malformed part, including an unfinished one at the
// end. xterm.js would drop such parts; browsers' decoders insert U+FFFD.
void append_well_formed(std::string& out, std::string_view bytes);

// How many bytes at the end start a character that more bytes could complete.
[[nodiscard]] std::size_t unfinished_suffix(std::string_view bytes);

// Decodes one byte at a time, so that a character may be split anywhere.
class Utf8Decoder {
 public:
  enum class Step : std::uint8_t {
    need_more,  // the byte belongs to a character that is not complete
    character,  // `code()` is complete
    malformed,  // the byte cannot start a character and becomes U+FFFD
    broken,     // an unfinished character is U+FFFD; present the same byte again
    dropped,    // U+FEFF
  };

  Step feed(unsigned char byte);
  [[nodiscard]] char32_t code() const { return code_; }
  [[nodiscard]] bool idle() const { return missing_ == 0; }
  // The bytes of the unfinished character.
  [[nodiscard]] std::string_view pending() const { return {bytes_, length_}; }
  void reset() { missing_ = length_ = 0; }

 private:
  Step lead(unsigned char byte);

  char32_t code_ = 0;
  char bytes_[4] = {};
  std::uint8_t length_ = 0;
  std::uint8_t missing_ = 0;
  // The allowed range of the next byte: no overlong forms, no surrogates, nothing above U+10FFFF.
  unsigned char least_ = 0x80;
  unsigned char most_ = 0xbf;
};

}  // namespace vt
