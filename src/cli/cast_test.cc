#include "cli/cast.h"

#include <gtest/gtest.h>

namespace cli {
namespace {

using std::chrono::microseconds;

TEST(CastTest, WhatIsWrittenIsRead) {
  const auto size = parse_cast_header(cast_header({.cols = 100, .rows = 30}, "a \"title\"\x1b"));
  ASSERT_TRUE(size);
  EXPECT_EQ(*size, (vt::Size{.cols = 100, .rows = 30}));
  const CastEvent output{.time = microseconds(1'500'007),
                         .kind = CastEvent::Kind::output,
                         .output = "\x1b[31mred\"\\\r\n日"};
  EXPECT_EQ(to_line(output).substr(0, 14), "[1.500007,\"o\",");
  const auto read = parse_cast_event(to_line(output));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->output, output.output);
  EXPECT_EQ(read->time, output.time);
  const auto resize = parse_cast_event(
      to_line({.kind = CastEvent::Kind::resize, .size = {.cols = 90, .rows = 20}}));
  ASSERT_TRUE(resize);
  EXPECT_EQ(resize->size, (vt::Size{.cols = 90, .rows = 20}));
}

TEST(CastTest, BytesThatAreNoUtf8DoNotSpoilTheLine) {
  const auto read = parse_cast_event(to_line({.kind = CastEvent::Kind::output,
                                              .output = "a\xff\xc3"
                                                        "b"}));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->output.starts_with("a") && read->output.ends_with("b"));
}

TEST(CastTest, OtherEventsAreLeftToOthers) {
  const auto read = parse_cast_event("[1, \"i\", \"typed\"]");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, CastEvent::Kind::other);
}

TEST(CastTest, WhatIsNoRecordingIsRefused) {
  for (const char* line : {"", "x", "[]", "{}", R"({"version":1,"width":80,"height":24})",
                           R"({"version":2,"width":0,"height":24})", R"({"version":2})"})
    EXPECT_FALSE(parse_cast_header(line)) << line;
  for (const char* line : {"", "{}", "[]", "[1,2,3]", R"([-1,"o","x"])", R"([1e99,"o","x"])",
                           R"(["1","o","x"])", R"([1,"r","x"])", R"([1,"r","80x24y"])"})
    EXPECT_FALSE(parse_cast_event(line)) << line;
  EXPECT_EQ(parse_cast_header(R"({"version":2,"width":99999,"height":1})")->cols, 1000);
  EXPECT_EQ(parse_cast_event(R"([1,"r","-5x0"])")->size, (vt::Size{.cols = 1, .rows = 1}));
}

}  // namespace
}  // namespace cli
