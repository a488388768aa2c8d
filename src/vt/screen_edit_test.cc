// Erasing, inserting, deleting, scrolling.

#include <gtest/gtest.h>

#include "vt/test_screen.h"

namespace vt {
namespace {

struct Edit {
  const char* name;
  const char* bytes;
  const char* rows;
};

class EditTest : public testing::TestWithParam<Edit> {};

// On three full rows with the cursor on 'h'.
TEST_P(EditTest, Leaves) {
  TestScreen t(5, 3);
  t.feed("abcde\r\nfghij\r\nklmno\x1b[2;3H").feed(GetParam().bytes);
  EXPECT_EQ(t.rows(), GetParam().rows);
  EXPECT_EQ(t.history(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Sequences, EditTest,
    testing::Values(
        Edit{"EdBelow", "\x1b[J", "abcde|fg|"}, Edit{"EdAbove", "\x1b[1J", "|...ij|klmno"},
        Edit{"EdAll", "\x1b[2J", "||"}, Edit{"ElRight", "\x1b[K", "abcde|fg|klmno"},
        Edit{"ElLeft", "\x1b[1K", "abcde|...ij|klmno"}, Edit{"ElAll", "\x1b[2K", "abcde||klmno"},
        Edit{"EchErases", "\x1b[2X", "abcde|fg..j|klmno"},
        Edit{"IchInserts", "\x1b[2@", "abcde|fg..h|klmno"},
        Edit{"DchDeletes", "\x1b[2P", "abcde|fgj|klmno"},
        Edit{"IlInserts", "\x1b[L", "abcde||fghij"}, Edit{"DlDeletes", "\x1b[M", "abcde|klmno|"},
        Edit{"SuScrollsUp", "\x1b[S", "fghij|klmno|"},
        Edit{"SdScrollsDown", "\x1b[T", "|abcde|fghij"},
        Edit{"SlScrollsLeft", "\x1b[2 @", "cde|hij|mno"},
        Edit{"SrScrollsRight", "\x1b[2 A", "..abc|..fgh|..klm"},
        Edit{"DecicInsertsColumns", "\x1b['}", "ab.cd|fg.hi|kl.mn"},
        Edit{"DecdcDeletesColumns", "\x1b['~", "abde|fgij|klno"},
        Edit{"DecalnFillsWithE", "\x1b#8", "EEEEE|EEEEE|EEEEE"},
        Edit{"UnknownEdDoesNothing", "\x1b[7J", "abcde|fghij|klmno"}),
    [](const auto& info) { return info.param.name; });

TEST(EditTest, ErasingKeepsTheBackgroundAndNothingElse) {
  TestScreen t(4, 1);
  t.feed("abcd\x1b[1;4;31;44m\r\x1b[2X");
  EXPECT_EQ(t.style(0, 0), "bg=4");
  EXPECT_EQ(t.style(2, 0), "");
}

TEST(EditTest, RowsThatScrollInHaveTheBackgroundButNotThoseOfSd) {
  TestScreen t(3, 2);
  t.feed("\x1b[44m\n\n");
  EXPECT_EQ(t.style(0, 1), "bg=4");
  t.feed("\x1b[2J\x1b[T");
  EXPECT_EQ(t.style(0, 0), "");
}

TEST(EditTest, ErasingTheStartOfARowEndsItsBeingAContinuation) {
  TestScreen t(3, 2);
  t.feed("abcd\x1b[2;1H\x1b[K");
  EXPECT_EQ(t.rows(), "abc|");
  EXPECT_FALSE(t.buffer().grid.row(1).wrapped);
}

TEST(EditTest, ErasingOnAPendingWrapKeepsIt) {
  TestScreen t(3, 2);
  t.feed("abc\x1b[2Kd");
  EXPECT_EQ(t.rows(), "|+d");
}

TEST(EditTest, Ed3ForgetsTheHistory) {
  TestScreen t(3, 1);
  t.feed("a\r\nb\r\nc\x1b[3J");
  EXPECT_EQ(t.history(), "");
  EXPECT_EQ(t.row(0), "c");
}

TEST(EditTest, SelectiveErasureLeavesProtectedCells) {
  TestScreen t(6, 1);
  t.feed("ab\x1b[1\"qcd\x1b[0\"qef\r\x1b[?2K");
  EXPECT_EQ(t.row(0), "..cd");
  t.feed("\x1b[2\"q\x1b[?J");
  EXPECT_EQ(t.row(0), "..cd");
  t.feed("\x1b[J");
  EXPECT_EQ(t.row(0), "");
}

TEST(EditTest, LinesAreInsertedAndDeletedWithinTheMargins) {
  TestScreen t(2, 4);
  t.feed("a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[2;1H\x1b[9L");
  EXPECT_EQ(t.rows(), "a|||d");
  t.feed("\x1b[1;1H\x1b[L");
  EXPECT_EQ(t.rows(), "a|||d") << "outside the margins nothing happens";
}

TEST(EditTest, InsertingInTheMiddleOfAWideCharacterEmptiesIt) {
  TestScreen t(6, 1);
  t.feed("日x\x1b[1;2H\x1b[@");
  EXPECT_EQ(t.row(0), "...x");
}

TEST(EditTest, DeletingHalfAWideCharacterEmptiesIt) {
  TestScreen t(6, 1);
  t.feed("日x\x1b[1;2H\x1b[P");
  EXPECT_EQ(t.row(0), ".x");
}

TEST(EditTest, AWideCharacterPushedIntoTheLastColumnIsEmptied) {
  TestScreen t(4, 1);
  t.feed("ab日\r\x1b[@");
  EXPECT_EQ(t.row(0), ".ab");
}

TEST(EditTest, HugeCountsAreClamped) {
  for (const char* bytes :
       {"\x1b[2147483647@", "\x1b[2147483647P", "\x1b[2147483647X", "\x1b[2147483647L",
        "\x1b[2147483647M", "\x1b[2147483647S", "\x1b[2147483647T", "\x1b[2147483647 @",
        "\x1b[2147483647 A", "\x1b[2147483647'}", "\x1b[2147483647'~"}) {
    TestScreen t(3, 2);
    t.feed("abc\x1b[1;1H").feed(bytes);
    EXPECT_EQ(t.row(0), "") << bytes + 1;
  }
}

}  // namespace
}  // namespace vt
