#include "vt/width.h"

#include <gtest/gtest.h>

#include <string_view>

namespace vt {
namespace {

struct Expected {
  char32_t first;
  int width;
};

// The runs come from the same package as the table. This tests that the two-stage table of width_of
// agrees for every code point.
constexpr Expected kExpected[] = {
#include "vt/width_table.inc"
};

TEST(WidthTest, AllOfUnicode) {
  std::size_t run = 0;
  for (char32_t code = 0; code <= 0x10ffff; ++code) {
    if (run + 1 < std::size(kExpected) && kExpected[run + 1].first == code) ++run;
    ASSERT_EQ(static_cast<int>(width_of(code)), kExpected[run].width)
        << std::hex << static_cast<unsigned>(code);
  }
}

TEST(WidthTest, WhatPeopleMeet) {
  for (const char32_t code : std::u32string_view(U"aé─я█ﬁ\u00a0\u00ad\u2714\U0001d573"))
    EXPECT_EQ(width_of(code), Width::one) << static_cast<unsigned>(code);
  for (const char32_t code : std::u32string_view(U"日한Ａ😀🚀⌚𠮷"))
    EXPECT_EQ(width_of(code), Width::two) << static_cast<unsigned>(code);
  for (const char32_t code : std::u32string_view(U"\u0301\u200b\u200d\ufe0f\u0e31\U000e0100"))
    EXPECT_EQ(width_of(code), Width::zero) << static_cast<unsigned>(code);
}

}  // namespace
}  // namespace vt
