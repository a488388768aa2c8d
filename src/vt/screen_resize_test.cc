#include <gtest/gtest.h>

#include "vt/test_screen.h"

namespace vt {
namespace {

TEST(ResizeTest, ContinuedRowsJoinWhenThereIsRoomAndSplitWhenThereIsNot) {
  TestScreen t(4, 4);
  t.feed("abcdefgh\r\n$ ").resize(8, 4);
  EXPECT_EQ(t.rows(), "abcdefgh|$ ||");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 2, .y = 1}));
  t.resize(3, 4);
  EXPECT_EQ(t.rows(), "abc|+def|+gh|$ ");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 2, .y = 3}));
}

TEST(ResizeTest, TheLineWithTheCursorIsLeftToItsProgram) {
  TestScreen t(4, 3);
  t.feed("abcdef").resize(8, 3);
  EXPECT_EQ(t.rows(), "abcd|+ef|");
  t.resize(3, 3);
  EXPECT_EQ(t.rows(), "abc|+ef|");
}

TEST(ResizeTest, WideCharactersAreNotSplit) {
  TestScreen t(6, 3);
  t.feed("a日本語\r\n").resize(4, 4);
  EXPECT_EQ(t.rows(), "a日|+本語||");
  t.resize(10, 4);
  EXPECT_EQ(t.rows(), "a日本語|||");
}

TEST(ResizeTest, TheHistoryIsReflowedToo) {
  TestScreen t(4, 2);
  t.feed("abcdefgh\r\n1\r\n2\r\n3");
  EXPECT_EQ(t.history(), "abcd|+efgh|1");
  t.resize(8, 2);
  EXPECT_EQ(t.history(), "abcdefgh|1");
  EXPECT_EQ(t.rows(), "2|3");
  t.resize(2, 2);
  EXPECT_EQ(t.history(), "ab|+cd|+ef|+gh|1");
}

TEST(ResizeTest, MoreRowsBringHistoryBackUnlessThereIsRoomBelow) {
  TestScreen t(3, 2);
  t.feed("1\r\n2\r\n3\r\n4").resize(3, 3);
  EXPECT_EQ(t.rows(), "2|3|4");
  EXPECT_EQ(t.history(), "1");
  t.feed("\x1b[H").resize(3, 4);
  EXPECT_EQ(t.rows(), "2|3|4|");
}

TEST(ResizeTest, FewerRowsDropThoseBelowTheCursorThenScroll) {
  TestScreen t(3, 4);
  t.feed("1\r\n2").resize(3, 2);
  EXPECT_EQ(t.rows(), "1|2");
  EXPECT_EQ(t.history(), "");
  t.resize(3, 1);
  EXPECT_EQ(t.rows(), "2");
  EXPECT_EQ(t.history(), "1");
}

TEST(ResizeTest, MarginsGoPendingWrapGoesTabsContinue) {
  TestScreen t(4, 4);
  t.feed("\x1b[2;3rabcd").resize(20, 4);
  EXPECT_EQ(t.buffer().top, 0);
  EXPECT_EQ(t.buffer().bottom, 3);
  EXPECT_EQ(t.cursor().x, 4);
  t.feed("\r\t\t");
  EXPECT_EQ(t.cursor().x, 16);
}

TEST(ResizeTest, TheAlternateScreenIsCutAndExtended) {
  TestScreen t(4, 3);
  t.feed("\x1b[?1049habcd\r\nefgh\r\nij日").resize(3, 2);
  EXPECT_EQ(t.rows(), "efg|ij");
  t.resize(5, 3);
  EXPECT_EQ(t.rows(), "efg|ij|");
}

TEST(ResizeTest, ThePrimaryScreenIsReflowedBehindTheAlternateOne) {
  TestScreen t(4, 3);
  t.feed("abcdef\r\n\x1b[?1049h").resize(8, 3).feed("\x1b[?1049l");
  EXPECT_EQ(t.rows(), "abcdef||");
}

TEST(ResizeTest, SizesAreMovedInside) {
  TestScreen t;
  t.resize(0, -5);
  EXPECT_EQ(t.state().size, (Size{.cols = 1, .rows = 1}));
  t.resize(100'000, 100'000);
  EXPECT_EQ(t.state().size, (Size{.cols = kMaxSide, .rows = kMaxSide}));
}

TEST(ResizeTest, PromptMarksSurviveReflow) {
  TestScreen t(4, 4);
  t.feed(
       "abcd\x1b]133;A\x07"
       "ef\x1b]133;B\x07gh\r\n")
      .resize(8, 4);
  EXPECT_EQ(t.buffer().grid.row(0).marks.bits, PromptMarks::kPrompt | PromptMarks::kCommand);
}

TEST(ResizeTest, EverySizeAtEveryStep) {
  TestScreen t(1, 1);
  std::string line;
  for (int i = 1; i <= 500; i += 7) {
    line += "日x";
    t.resize(i, 501 - i)
        .feed(line)
        .feed("\r\n\x1b[?1049h")
        .resize(501 - i, i)
        .feed(line)
        .feed("\x1b[?1049l");
    ASSERT_EQ(t.state().primary.grid.rows(), i);
  }
  EXPECT_GT(t.state().history.rows(), 0);
}

}  // namespace
}  // namespace vt
