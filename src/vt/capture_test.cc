#include "vt/capture.h"

#include <gtest/gtest.h>

#include "vt/test_screen.h"

namespace vt {
namespace {

TEST(CaptureTest, TextJoinsContinuedRowsAndLeavesOutWhatIsEmpty) {
  TestScreen t(4, 4);
  t.feed("abcdef\r\n\r\n  x");
  EXPECT_EQ(text(t.screen()), "abcdef\n\n  x\n");
  EXPECT_EQ(text(TestScreen().screen()), "");
}

TEST(CaptureTest, TextKeepsSpacesThatWereWrittenAndGapsBetween) {
  TestScreen t(6, 2);
  t.feed("a\x1b[1;4Hb  \x1b[2;1H日本");
  EXPECT_EQ(text(t.screen()), "a  b  \n日本\n");
}

TEST(CaptureTest, HistoryOnRequest) {
  TestScreen t(4, 1);
  t.feed("1\r\n2\r\n3");
  EXPECT_EQ(text(t.screen()), "3\n");
  EXPECT_EQ(text(t.screen(), {.history_rows = 1}), "2\n3\n");
  EXPECT_EQ(text(t.screen(), {.history_rows = kAllHistory}), "1\n2\n3\n");
  t.feed("\x1b[?1049hx");
  EXPECT_EQ(text(t.screen(), {.history_rows = kAllHistory}), " x\n")
      << "the alternate screen has none";
}

}  // namespace
}  // namespace vt
