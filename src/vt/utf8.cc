#include "vt/utf8.h"

#include <algorithm>
#include <cstring>

namespace vt {

char32_t take_utf8(std::string_view& text) {
  Utf8Decoder decoder;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto step = decoder.feed(static_cast<unsigned char>(text[i]));
    if (step == Utf8Decoder::Step::need_more) continue;
    if (step != Utf8Decoder::Step::character) break;
    text.remove_prefix(i + 1);
    return decoder.code();
  }
  if (!text.empty()) text.remove_prefix(1);
  return 0xfffd;
}

Utf8Decoder::Step Utf8Decoder::feed(unsigned char byte) {
  if (missing_ == 0) return lead(byte);
  if (byte < least_ || byte > most_) {
    reset();
    return Step::broken;
  }
  least_ = 0x80;
  most_ = 0xbf;
  bytes_[length_++] = static_cast<char>(byte);
  code_ = code_ << 6 | (byte & 0x3f);
  if (--missing_ > 0) return Step::need_more;
  length_ = 0;
  return code_ == 0xfeff ? Step::dropped : Step::character;
}

Utf8Decoder::Step Utf8Decoder::lead(unsigned char byte) {
  length_ = 0;
  code_ = byte;
  if (byte < 0x80) return Step::character;
  if (byte < 0xc2 || byte > 0xf4) return Step::malformed;
  missing_ = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  code_ = byte & (0x3f >> missing_);
  bytes_[length_++] = static_cast<char>(byte);
  least_ = byte == 0xe0 ? 0xa0 : byte == 0xf0 ? 0x90 : 0x80;
  most_ = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
  return Step::need_more;
}

namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

// Skips ASCII, eight bytes at a time.
const char* skip_ascii(const char* p, const char* end) {
  for (; end - p >= 8; p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  while (p < end && static_cast<signed char>(*p) >= 0) ++p;
  return p;
}

// The end of the non-ASCII character at `p`, or `p` if it is malformed or unfinished.
const char* skip_character(const char* p, const char* end) {
  const auto byte = [p](int i) -> char32_t { return static_cast<unsigned char>(p[i]); };
  const auto is_tail = [&byte](int i) { return (byte(i) & 0xc0) == 0x80; };
  const std::ptrdiff_t room = end - p;
  if (byte(0) < 0xe0) return byte(0) >= 0xc2 && room >= 2 && is_tail(1) ? p + 2 : p;
  if (room < 3 || !is_tail(1) || !is_tail(2)) return p;
  if (byte(0) < 0xf0) {
    const char32_t code = (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6;
    return code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? p + 3 : p;
  }
  if (byte(0) > 0xf4 || room < 4 || !is_tail(3)) return p;
  const char32_t code = (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12;
  return code >= 0x10000 && code <= 0x10ffff ? p + 4 : p;
}

// The end of the malformed part at `p`.
const char* skip_malformed(const char* p, const char* end) {
  Utf8Decoder decoder;
  const char* at = p;
  while (at < end && decoder.feed(static_cast<unsigned char>(*at)) == Utf8Decoder::Step::need_more)
    ++at;
  return std::max(at, p + 1);
}

}  // namespace

void append_well_formed(std::string& out, std::string_view bytes) {
  const char* good = bytes.data();
  const char* const end = good + bytes.size();
  for (const char* p = good; (p = skip_ascii(p, end)) < end;) {
    const char* const after = skip_character(p, end);
    if (after > p) {
      p = after;
      continue;
    }
    out.append(good, p);
    out += "\xef\xbf\xbd";
    good = p = skip_malformed(p, end);
  }
  out.append(good, end);
}

std::size_t unfinished_suffix(std::string_view bytes) {
  for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const auto byte = static_cast<unsigned char>(bytes[bytes.size() - back]);
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    Utf8Decoder decoder;
    for (const char c : bytes.substr(bytes.size() - back))
      if (decoder.feed(static_cast<unsigned char>(c)) != Utf8Decoder::Step::need_more) return 0;
    return back;
  }
  return 0;
}

}  // namespace vt
