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

TEST(CaptureTest, JsonSaysEveryCell) {
  TestScreen t(6, 2);
  t.feed("\x1b]2;a\"b\x07x\r\n\x1b[1;31mhi\x1b[m日e\u0301\x1b[44m\x1b[K");
  EXPECT_EQ(
      json(t.screen()),
      R"({"size":[6,2],"cursor":[5,1],"alternate":false,"title":"a\"b","history":[],"screen":[[["x"]],)"
      R"([["hi","fg=1 bold"],["日","",2],[["e)"
      "\u0301"
      R"("]],[1,"bg=4"]]]})");
}

TEST(CaptureTest, JsonMarksContinuedRowsAndHistory) {
  TestScreen t(2, 1);
  t.feed("abc");
  EXPECT_EQ(
      json(t.screen(), {.history_rows = 9}),
      R"({"size":[2,1],"cursor":[1,0],"alternate":false,"title":"","history":[[["ab"]]],"screen":[["wrapped",["c"]]]})");
}

TEST(CaptureTest, JsonEscapesControls) {
  std::string out;
  append_json_string(out, std::string_view("\"\\\n\x01é", 6));
  EXPECT_EQ(out, "\"\\\"\\\\\\u000a\\u0001é\"");
}

}  // namespace
}  // namespace vt
