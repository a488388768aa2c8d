// UTF-8, decoded as xterm.js decodes it: what is malformed is dropped without a replacement
// character, and so is U+FEFF. A byte that breaks a sequence starts the next one.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vt {

// Writes one to four bytes; returns past them.
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

// Decodes one well-formed character at the front of `text` and removes it; malformed input yields
// U+FFFD and loses one byte. For text that is not a terminal's stream.
[[nodiscard]] char32_t take_utf8(std::string_view& text);

// One byte at a time, so that a character may be cut anywhere.
class Utf8Decoder {
 public:
  enum class Step : std::uint8_t {
    need_more,  // the byte belongs to a character that is not complete
    character,  // `code()` is complete
    dropped,    // the byte was malformed or completed something forbidden
    retry,      // an unfinished character was dropped; present the same byte again
  };

  Step feed(unsigned char byte);
  [[nodiscard]] char32_t code() const { return code_; }
  [[nodiscard]] bool idle() const { return missing_ == 0; }
  // The bytes of the unfinished character.
  [[nodiscard]] std::string_view pending() const { return {bytes_, length_}; }
  void reset() { missing_ = length_ = 0; }

 private:
  Step finish();

  char32_t code_ = 0;
  char bytes_[4] = {};
  std::uint8_t length_ = 0;
  std::uint8_t missing_ = 0;
};

}  // namespace vt
