#include "terminal/paste.h"

#include <gtest/gtest.h>

#include <random>

namespace terminal {
namespace {

TEST(PasteTest, TextIsTypedAsItIs) {
  EXPECT_EQ(pasted("a\tb é 漢 🙂", false), "a\tb é 漢 🙂");
  EXPECT_EQ(pasted("", false), "");
}

TEST(PasteTest, LineEndsAreTheEnterKey) {
  EXPECT_EQ(pasted("a\nb\r\nc\rd\n\n\r\n", false), "a\rb\rc\rd\r\r\r");
}

TEST(PasteTest, ItIsBracketedIfTheProgramAsksForIt) {
  EXPECT_EQ(pasted("ls\n", true), "\x1b[200~ls\r\x1b[201~");
}

TEST(PasteTest, NothingInItEndsTheBracketsOrIsAKey) {
  EXPECT_EQ(pasted("a\x1b[201~rm\x03\x04\x7f\b\x15z", true), "\x1b[200~a[201~rmz\x1b[201~");
  EXPECT_EQ(pasted("a\xc2\x9b"
                   "201~b",
                   true),
            "\x1b[200~a201~b\x1b[201~");
  EXPECT_EQ(pasted(std::string("a\0b", 3), false), "ab");
}

TEST(PasteTest, WhatIsNotUtf8IsLeftOut) {
  EXPECT_EQ(pasted("a\x9b"
                   "b\xff"
                   "c\xe2\x82",
                   false),
            "abc");
}

TEST(PasteTest, WhateverIsPastedHasNoControls) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (unsigned n = random() % 40; n > 0; --n) text += static_cast<char>(random() % 256);
    const std::string typed = pasted(text, false);
    for (std::size_t at = 0; at < typed.size(); ++at) {
      const auto byte = static_cast<unsigned char>(typed[at]);
      ASSERT_TRUE(byte >= 0x20 || byte == '\t' || byte == '\r') << i;
      ASSERT_NE(byte, 0x7f);
      if (byte == 0xc2) {
        ASSERT_GE(static_cast<unsigned char>(typed[at + 1]), 0xa0);
      }
    }
  }
}

TEST(PasteInPiecesTest, IsWholeWhenTheLastHasCome) {
  PasteInPieces paste(10);
  EXPECT_EQ(paste.add(1, "abc", 5).value(), std::nullopt);
  EXPECT_EQ(paste.add(1, "de", 3).value(), std::nullopt);
  EXPECT_EQ(paste.add(1, "fgh", 0).value(), "abcdefgh");
  EXPECT_EQ(paste.add(2, "next", 0).value(), "next");
}

TEST(PasteInPiecesTest, WhatIsTooLongIsRefusedOnceAndWhole) {
  PasteInPieces paste(10);
  EXPECT_EQ(paste.add(1, "abc", 8).error().code, base::Code::too_large);
  EXPECT_EQ(paste.add(1, "abc", 5).value(), std::nullopt);
  EXPECT_EQ(paste.add(1, "abcde", 0).value(), std::nullopt);
  EXPECT_EQ(paste.add(1, "ab", UINT64_MAX).error().code, base::Code::too_large);
  EXPECT_FALSE(paste.add(1, "ab", 3)) << "and it does not go on like that";
  EXPECT_EQ(paste.add(1, "0123456789", 0).value(), "0123456789");
}

TEST(PasteInPiecesTest, PiecesOfDifferentPastesAreNotMixed) {
  PasteInPieces paste(10);
  EXPECT_EQ(paste.add(1, "abc", 3).value(), std::nullopt);
  EXPECT_EQ(paste.add(2, "xyz", 0).error().code, base::Code::invalid_argument);
  EXPECT_EQ(paste.add(1, "def", 0).value(), "def") << "which is a paste of its own";
}

}  // namespace
}  // namespace terminal
