#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace base {
namespace {

TEST(Utf8Test, WhatFitsStays) {
  for (const char* text : {"", "abc", "½€🙂"}) {
    EXPECT_EQ(cut_utf8(text, 100), text);
    EXPECT_EQ(cut_utf8(text, std::string_view(text).size()), text);
  }
}

TEST(Utf8Test, NoCharacterIsSplit) {
  const std::string text = "a½€🙂z";  // Of 1, 2, 3, 4 and 1 bytes.
  const std::size_t sizes[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11};
  for (std::size_t most = 0; most <= text.size(); ++most)
    EXPECT_EQ(cut_utf8(text, most), text.substr(0, sizes[most])) << most;
}

TEST(Utf8Test, WhatIsNotUtf8IsCutAtTheLimit) {
  EXPECT_EQ(cut_utf8(std::string(100, '\x80'), 50), std::string(50, '\x80'));
  EXPECT_EQ(cut_utf8("a\x80\x80", 2), "a\x80") << "no character begins there";
  EXPECT_EQ(cut_utf8("\xff\xff\xff", 2), "\xff\xff");
  EXPECT_EQ(cut_utf8("🙂\x80\x80", 5), "🙂\x80") << "a fifth byte belongs to no character";
  EXPECT_EQ(cut_utf8("\x80\x80\x80", 0), "");
}

}  // namespace
}  // namespace base
