#include "http/theme.h"

#include <gtest/gtest.h>

namespace http {
namespace {

TEST(ThemeTest, TheAddressNamesColours) {
  const auto theme = theme_of("/terminal/ws/multi?foreground=ff8000&background=%23102030");
  ASSERT_TRUE(theme && *theme);
  EXPECT_EQ((*theme)->foreground, 0xff8000U);
  EXPECT_EQ((*theme)->background, 0x102030U);
  EXPECT_EQ((*theme)->cursor, vt::Theme().cursor) << "missing: the default";
}

TEST(ThemeTest, WithoutOneThereIsNone) {
  const auto theme = theme_of("/terminal/ws/multi?session=main");
  ASSERT_TRUE(theme);
  EXPECT_FALSE(*theme);
}

TEST(ThemeTest, WhatIsNoColourIsRefused) {
  for (const char* text : {"", "red", "12345", "1234567", "+12345", "0x1234", "12345g", "%00"})
    EXPECT_FALSE(theme_of(std::string("/ws?cursor=") + text)) << text;
}

}  // namespace
}  // namespace http
