#include "vt/notice.h"

#include <gtest/gtest.h>

#include "vt/test_screen.h"

namespace vt {
namespace {

using Kind = Notice::Kind;

Notice message(std::string text) {
  return {.kind = Kind::message, .text = std::move(text)};
}

TEST(NoticeTest, MessagesAreWhatAPersonMayBeShown) {
  EXPECT_EQ(parse_notice(9, "The build is done; 2 warnings"),
            message("The build is done; 2 warnings"));
  EXPECT_EQ(parse_notice(777, "notify;Agent;May I delete it?"), message("Agent: May I delete it?"));
  EXPECT_EQ(parse_notice(777, "notify;Done"), message("Done"));
  EXPECT_EQ(parse_notice(777, "notify;;Done"), message("Done"));
  EXPECT_EQ(parse_notice(9, "a\x07\xff\x1b[31mb"), message("a\ufffd[31mb"));
  EXPECT_EQ(parse_notice(9, std::string(5000, 'x'))->text.size(), Notice::kMaxText);
}

TEST(NoticeTest, WhatTellsNothingIsNone) {
  for (const char* text : {"", "\x01", "1;300", "9;/home", "12", "4", "4;7", "4;x;5", "4;-1;5"})
    EXPECT_EQ(parse_notice(9, text), std::nullopt) << text;
  for (const char* text : {"", "notify", "notify;", "notify;;", "precmd", "other;a;b"})
    EXPECT_EQ(parse_notice(777, text), std::nullopt) << text;
}

TEST(NoticeTest, ProgressIsAPercentage) {
  EXPECT_EQ(parse_notice(9, "4;1;40"), (Notice{.kind = Kind::progress, .percent = 40}));
  EXPECT_EQ(parse_notice(9, "4;2;300"), (Notice{.kind = Kind::progress, .percent = 100}));
  EXPECT_EQ(parse_notice(9, "4;1"), (Notice{.kind = Kind::progress, .percent = 0}));
  EXPECT_EQ(parse_notice(9, "4;3"), (Notice{.kind = Kind::progress}));
  EXPECT_EQ(parse_notice(9, "4;4;60"), (Notice{.kind = Kind::paused, .percent = 60}));
  EXPECT_EQ(parse_notice(9, "4;0"), (Notice{.kind = Kind::over}));
}

class Heard final : public StreamSink {
 public:
  void query(ByteSpan /*span*/, const Reply& /*reply*/) override {}
  void edit(Edit /*edit*/, By /*by*/) override {}
  void notice(std::uint64_t end, const Notice& notice) override {
    notices.emplace_back(end, notice);
  }
  std::vector<std::pair<std::uint64_t, Notice>> notices;
};

TEST(NoticeTest, TheScreenTellsWhereTheyEnd) {
  Heard heard;
  Screen screen({.cols = 10, .rows = 3}, &heard);
  const std::string text = "ab\x1b]9;Hello\x07\x1b]777;notify;a;b\x1b\\c";
  screen.feed(std::as_bytes(std::span(text)));
  // BEL is part of its string. Of ST, the ESC already ends it.
  const std::vector<std::pair<std::uint64_t, Notice>> expected{{12, message("Hello")},
                                                               {28, message("a: b")}};
  EXPECT_EQ(heard.notices, expected);
}

}  // namespace
}  // namespace vt
