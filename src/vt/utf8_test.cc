#include "vt/utf8.h"

#include <gtest/gtest.h>

namespace vt {
namespace {

std::u32string decode(std::string_view bytes) {
  Utf8Decoder decoder;
  std::u32string out;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto step = decoder.feed(static_cast<unsigned char>(bytes[i]));
    if (step == Utf8Decoder::Step::character) out += decoder.code();
    if (step != Utf8Decoder::Step::retry) ++i;
  }
  return out;
}

TEST(Utf8Test, EveryCodePointMakesTheRoundTrip) {
  for (char32_t code = 0; code <= 0x10ffff; ++code) {
    if ((code >= 0xd800 && code <= 0xdfff) || code == 0xfeff) continue;
    std::string bytes;
    append_utf8(bytes, code);
    ASSERT_EQ(decode(bytes), std::u32string(1, code)) << std::hex << static_cast<unsigned>(code);
  }
}

TEST(Utf8Test, WhatIsMalformedIsDropped) {
  EXPECT_EQ(decode("a\x80"
                   "b"),
            U"ab");
  EXPECT_EQ(decode("\xc0\xaf"
                   "b"),
            U"b")
      << "overlong";
  EXPECT_EQ(decode("\xe0\x80\xaf"
                   "b"),
            U"b")
      << "overlong";
  EXPECT_EQ(decode("\xed\xa0\x80"
                   "b"),
            U"b")
      << "surrogate";
  EXPECT_EQ(decode("\xf4\x90\x80\x80"
                   "b"),
            U"b")
      << "beyond Unicode";
  EXPECT_EQ(decode("\xff\xfe"
                   "b"),
            U"b");
  EXPECT_EQ(decode("\xef\xbb\xbf"
                   "b"),
            U"b")
      << "byte order mark";
}

TEST(Utf8Test, AByteThatBreaksASequenceStartsTheNext) {
  EXPECT_EQ(decode("\xe6\x97"
                   "b"),
            U"b");
  EXPECT_EQ(decode("\xe6\xe6\x97\xa5"), U"日");
  EXPECT_EQ(decode("\xf0\x9f\xc3\xa9"), U"é");
}

TEST(Utf8Test, TakesCharactersFromTheFront) {
  std::string_view text = "é日\xffx";
  EXPECT_EQ(take_utf8(text), U'é');
  EXPECT_EQ(take_utf8(text), U'日');
  EXPECT_EQ(take_utf8(text), char32_t{0xfffd});
  EXPECT_EQ(take_utf8(text), U'x');
  EXPECT_TRUE(text.empty());
}

}  // namespace
}  // namespace vt
