#include <gtest/gtest.h>

#include "vt/test_difference.h"
#include "vt/test_screen.h"

namespace vt {
namespace {

TEST(PrintTest, TextGoesToTheCursorAndMovesIt) {
  TestScreen t;
  t.feed("abc");
  EXPECT_EQ(t.rows(), "abc|||");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 3, .y = 0}));
}

TEST(PrintTest, TheWrapIsPendingUntilTheNextCharacter) {
  TestScreen t(4, 2);
  t.feed("abcd");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 4, .y = 0}));
  t.feed("e");
  EXPECT_EQ(t.rows(), "abcd|+e");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 1, .y = 1}));
}

TEST(PrintTest, AWrapOnTheBottomRowScrollsAndTheNewRowContinues) {
  TestScreen t(3, 2);
  t.feed("abcdefgh");
  EXPECT_EQ(t.history(), "abc");
  EXPECT_EQ(t.rows(), "+def|+gh");
}

TEST(PrintTest, WithoutWraparoundTheLastColumnIsOverwritten) {
  TestScreen t(4, 2);
  t.feed("\x1b[?7labcdefg");
  EXPECT_EQ(t.rows(), "abcg|");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 4, .y = 0}));
}

TEST(PrintTest, AWideCharacterTakesTwoColumns) {
  TestScreen t(5, 2);
  t.feed("a日b");
  EXPECT_EQ(t.row(0), "a日b");
  EXPECT_TRUE(t.buffer().grid.row(0).at(1).is_wide());
  EXPECT_TRUE(t.buffer().grid.row(0).at(2).is_spacer());
  EXPECT_EQ(t.cursor().x, 4);
}

TEST(PrintTest, AWideCharacterThatDoesNotFitLeavesTheLastColumnEmpty) {
  TestScreen t(4, 2);
  t.feed("abc日");
  EXPECT_EQ(t.rows(), "abc|+日");
}

TEST(PrintTest, WithoutWraparoundAWideCharacterThatDoesNotFitIsDropped) {
  TestScreen t(4, 2);
  t.feed("\x1b[?7labc日");
  EXPECT_EQ(t.rows(), "abc|");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 3, .y = 0}));
}

TEST(PrintTest, OverwritingEitherHalfOfAWideCharacterEmptiesTheOther) {
  TestScreen t(6, 1);
  t.feed("日本\x1b[1;2Hx\x1b[1;3Hy");
  EXPECT_EQ(t.row(0), ".xy");
  t.feed("\x1b[2K\r日\rz");
  EXPECT_EQ(t.row(0), "z");
}

TEST(PrintTest, CombiningCharactersJoinTheCellBefore) {
  TestScreen t;
  t.feed("e\u0301日\ufe0f!");
  EXPECT_EQ(t.row(0), "e\u0301日\ufe0f!");
  EXPECT_EQ(t.cursor().x, 4);
}

TEST(PrintTest, ACombiningCharacterJoinsThoughTheWrapIsPending) {
  TestScreen t(3, 2);
  t.feed("abc\u0301");
  EXPECT_EQ(t.rows(), "abc\u0301|");
  EXPECT_EQ(t.cursor().x, 3);
}

TEST(PrintTest, ACombiningCharacterAfterASequenceHasNothingToJoin) {
  TestScreen t;
  t.feed("e\x1b[m\u0301x");
  EXPECT_EQ(t.row(0), "e\u0301x");
  EXPECT_EQ(t.buffer().grid.row(0).at(1).width(), Width::zero);
  EXPECT_EQ(t.cursor().x, 3);
}

TEST(PrintTest, AQueryDoesNotComeBetweenSinceViewersNeverSeeIt) {
  TestScreen t;
  t.feed("e\x1b[6n\u0301");
  EXPECT_EQ(t.cursor().x, 1);
  EXPECT_EQ(t.row(0), "e\u0301");
}

TEST(PrintTest, MarksBeyondABoundAreDropped) {
  TestScreen t;
  std::string zalgo = "e";
  for (int i = 0; i < 1000; ++i) zalgo += "\u0301";
  t.feed(zalgo);
  EXPECT_LE(t.row(0).size(), 64U);
  EXPECT_EQ(t.cursor().x, 1);
}

TEST(PrintTest, InsertModeMovesTheRestOfTheRow) {
  TestScreen t(5, 1);
  t.feed("abcde\r\x1b[4hXY");
  EXPECT_EQ(t.row(0), "XYabc");
  t.feed("\x1b[4lZ");
  EXPECT_EQ(t.row(0), "XYZbc");
}

TEST(PrintTest, InsertModePushesHalfAWideCharacterOffWhole) {
  TestScreen t(4, 1);
  t.feed("ab日\r\x1b[4hx");
  EXPECT_EQ(t.row(0), "xab");
}

TEST(PrintTest, RepRepeatsTheCharacterBefore) {
  TestScreen t;
  t.feed("ab\x1b[3b");
  EXPECT_EQ(t.row(0), "abbbb");
  // It is gone after any sequence, so a second one does nothing.
  t.feed("\x1b[3b");
  EXPECT_EQ(t.row(0), "abbbb");
}

TEST(PrintTest, RepRepeatsWholeGraphemesAndWraps) {
  TestScreen t(4, 2);
  t.feed("日\ufe0f\x1b[2b");
  EXPECT_EQ(t.rows(), "日\ufe0f日\ufe0f|+日\ufe0f");
}

TEST(PrintTest, MalformedUtf8IsReplacedAndWhatFollowsIsNot) {
  TestScreen t(20, 1);
  t.feed(
      "a\xff\xc3(b\xe6\x97\x1b[1mc\xed\xa0\x80\xef\xbb\xbf"
      "d");
  EXPECT_EQ(t.row(0), "a\ufffd\ufffd(b\ufffdc\ufffd\ufffd\ufffdd");
}

TEST(PrintTest, CharactersAreTheSameHoweverTheBytesAreCut) {
  const std::string bytes = "日\u0301é😀 \xf0\x9f x";
  TestScreen whole;
  whole.feed(bytes);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    TestScreen t;
    t.feed(std::string_view(bytes).substr(0, cut)).feed(std::string_view(bytes).substr(cut));
    EXPECT_EQ(describe_difference(t.state(), whole.state()), "") << "cut at " << cut;
  }
}

TEST(PrintTest, OneColumnHasNoRoomForWideCharacters) {
  TestScreen t(1, 2);
  t.feed("a日b");
  EXPECT_EQ(t.rows(), "a|+b");
}

TEST(PrintTest, ACharacterThatIsNotCompleteChangesNothing) {
  TestScreen t(4, 1);
  t.feed("日\x1b[1;2H\xe6\x97");
  EXPECT_EQ(t.row(0), "日");
  t.feed("\xa5");
  EXPECT_EQ(t.row(0), ".日");
}

}  // namespace
}  // namespace vt
