#include "vt/utf8.h"

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
  if (missing_ == 0) {
    length_ = 0;
    code_ = byte;
    if (byte < 0x80) return Step::character;
    if (byte < 0xc0 || byte >= 0xf8) return Step::dropped;
    missing_ = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    code_ = byte & (0x3f >> missing_);
    bytes_[length_++] = static_cast<char>(byte);
    return Step::need_more;
  }
  if ((byte & 0xc0) != 0x80) {
    reset();
    return Step::retry;
  }
  bytes_[length_++] = static_cast<char>(byte);
  code_ = code_ << 6 | (byte & 0x3f);
  return --missing_ == 0 ? finish() : Step::need_more;
}

Utf8Decoder::Step Utf8Decoder::finish() {
  static constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool overlong = code_ < kLeast[length_];
  length_ = 0;
  const bool surrogate = code_ >= 0xd800 && code_ <= 0xdfff;
  if (overlong || surrogate || code_ == 0xfeff || code_ > 0x10ffff) return Step::dropped;
  return Step::character;
}

}  // namespace vt
