#include "vt/screen_json.h"

#include <gtest/gtest.h>

#include "vt/test_screen.h"

namespace vt {
namespace {

TEST(ScreenJsonTest, SaysEveryCell) {
  TestScreen t(6, 2);
  t.feed("\x1b]2;a\"b\x07x\r\n\x1b[1;31mhi\x1b[m日e\u0301\x1b[44m\x1b[K");
  EXPECT_EQ(
      json(t.screen()),
      R"({"size":[6,2],"cursor":[5,1],"alternate":false,"title":"a\"b","history":[],"screen":[[["x"]],)"
      R"([["hi","fg=1 bold"],["日","",2],[["e)"
      "\u0301"
      R"("]],[1,"bg=4"]]]})");
}

TEST(ScreenJsonTest, MarksContinuedRowsAndHistory) {
  TestScreen t(2, 1);
  t.feed("abc");
  EXPECT_EQ(
      json(t.screen(), {.history_rows = 9}),
      R"({"size":[2,1],"cursor":[1,0],"alternate":false,"title":"","history":[[["ab"]]],"screen":[["wrapped",["c"]]]})");
}

TEST(ScreenJsonTest, EscapesControls) {
  std::string out;
  append_json_string(out, std::string_view("\"\\\n\x01é", 6));
  EXPECT_EQ(out, "\"\\\"\\\\\\u000a\\u0001é\"");
}

}  // namespace
}  // namespace vt
