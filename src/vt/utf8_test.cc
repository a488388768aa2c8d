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
    if (step == Utf8Decoder::Step::malformed || step == Utf8Decoder::Step::broken) out += U'\ufffd';
    if (step != Utf8Decoder::Step::broken) ++i;
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

std::string well_formed(std::string_view bytes) {
  std::string out;
  append_well_formed(out, bytes);
  return out;
}

struct Malformed {
  std::string_view bytes;
  std::u32string_view text;
};

// The examples of the Unicode standard, tables 3-8 to 3-11, and what browsers do.
constexpr Malformed kMalformed[] = {
    {"a\x80"
     "b",
     U"a\ufffdb"},
    {"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", U"\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdA"},
    {"\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", U"\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdA"},
    {"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", U"\ufffd\ufffd\ufffd\ufffd\ufffdA\ufffd\ufffdB"},
    {"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", U"\ufffd\ufffd\ufffd\ufffdA"},
    {"\xe6\xe6\x97\xa5", U"\ufffd日"},
    {"\xf0\x9f\xc3\xa9", U"\ufffdé"},
    {"caf\xe9 |x", U"caf\ufffd |x"},
};

TEST(Utf8Test, EachMaximalMalformedPartIsOneReplacement) {
  for (const auto& [bytes, text] : kMalformed) {
    EXPECT_EQ(decode(bytes), text);
    std::string expected;
    for (const char32_t code : text) append_utf8(expected, code);
    EXPECT_EQ(well_formed(bytes), expected);
    EXPECT_EQ(well_formed("eight ascii bytes " + std::string(bytes)),
              "eight ascii bytes " + expected);
  }
  EXPECT_EQ(well_formed("x\xe2\x82"), "x\ufffd") << "nothing more comes";
  EXPECT_EQ(well_formed("é€😀 日本語"), "é€😀 日本語");
  EXPECT_EQ(well_formed("\ufeff|"), "\ufeff|");
}

TEST(Utf8Test, AByteOrderMarkIsDropped) {
  EXPECT_EQ(decode("\ufeff"
                   "b"),
            U"b");
}

TEST(Utf8Test, OnlyWhatMoreBytesCouldFinishIsUnfinished) {
  EXPECT_EQ(unfinished_suffix(""), 0U);
  EXPECT_EQ(unfinished_suffix("ab"), 0U);
  EXPECT_EQ(unfinished_suffix("a\xc3"), 1U);
  EXPECT_EQ(unfinished_suffix("a\xe2\x82"), 2U);
  EXPECT_EQ(unfinished_suffix("\xf0\x9f\x98"), 3U);
  EXPECT_EQ(unfinished_suffix("a\xf0\x9f\x98\x80"), 0U);
  EXPECT_EQ(unfinished_suffix("a\xff"), 0U);
  EXPECT_EQ(unfinished_suffix("a\xe0\x80"), 0U);
  EXPECT_EQ(unfinished_suffix("a\xed\xa0"), 0U);
  EXPECT_EQ(unfinished_suffix("a\x80\x80\x80\x80"), 0U);
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
