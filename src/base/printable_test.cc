#include "base/printable.h"

#include <gtest/gtest.h>

#include <random>

namespace base {
namespace {

TEST(PrintableTest, WordsStayWords) {
  for (const char* text : {"", "ls -la ~/src", "naïve 日本語 🙂 ½"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable(text, Lines::many), text);
  }
}

TEST(PrintableTest, WhatATerminalWouldActOnIsShown) {
  EXPECT_EQ(printable("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("a\x9b"
                      "31m"),
            "a\\x9b31m")
      << "C1 as a byte, for terminals without UTF-8";
  EXPECT_EQ(printable("a\xc2\x9b"
                      "31m"),
            "a\\u009b31m")
      << "and as a character";
  EXPECT_EQ(printable("\x7f\r\b"), "\\x7f\\x0d\\x08");
  EXPECT_EQ(printable("txt.\xe2\x80\xae"
                      "exe"),
            "txt.\\u202eexe");
  EXPECT_EQ(printable("\xc0\x9b\xe0\x80\x9b\xed\xa0\x80"),
            "\\xc0\\x9b\\xe0\\x80\\x9b\\xed\\xa0\\x80")
      << "overlong forms and surrogates are not characters";
  EXPECT_EQ(printable("\xe2\x80"), "\\xe2\\x80") << "neither is a truncated one";
}

TEST(PrintableTest, LineEndsStayWhereThereMayBeManyLines) {
  EXPECT_EQ(printable("a\n\tb\r\n"), "a\\x0a\\x09b\\x0d\\x0a");
  EXPECT_EQ(printable("a\n\tb\r\n", Lines::many), "a\n\tb\\x0d\n");
}

TEST(PrintableTest, NoBytesMakeAControlCharacter) {
  std::mt19937 random(20261115);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 40, '\0');
    for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? 0x80 + random() % 64 : random());
    const std::string safe = printable(text);
    for (std::size_t i = 0; i < safe.size(); ++i) {
      const auto byte = static_cast<unsigned char>(safe[i]);
      EXPECT_FALSE(byte < 0x20 || byte == 0x7f);
      EXPECT_FALSE(byte == 0xc2 && static_cast<unsigned char>(safe[i + 1]) < 0xa0);
    }
    EXPECT_EQ(printable(safe), safe) << "safe text is unchanged";
  }
}

}  // namespace
}  // namespace base
