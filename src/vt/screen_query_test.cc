#include <gtest/gtest.h>

#include "vt/test_difference.h"
#include "vt/test_screen.h"
#include "vt/test_streams.h"

namespace vt {
namespace {

struct Exchange {
  const char* name;
  const char* query;
  const char* reply;
};

class QueryTest : public testing::TestWithParam<Exchange> {};

TEST_P(QueryTest, IsAnsweredOnceAndItsBytesAreNamed) {
  TestScreen t(80, 24);
  t.feed("\x1b[3;5H\x1b[1;31m\x1b[2;20r\x1b[5;7H\x1b[?2004h\x1b[4 q").feed("abc");
  const std::uint64_t begin = t.screen().position();
  const std::string query = GetParam().query;
  // An ST's ESC belongs to what follows, so that viewers see a whole, empty ESC \ and nothing else.
  const std::uint64_t end = begin + query.size() - (query.ends_with("\x1b\\") ? 2 : 0);
  t.feed(query).feed("d");
  ASSERT_EQ(t.queries().size(), 1U);
  EXPECT_EQ(t.queries()[0], (TestScreen::Query{{begin, end}, GetParam().reply}));
  EXPECT_EQ(t.row(4), "......abcd") << "a query prints nothing";
}

TEST_P(QueryTest, IsHeldBackFromViewersWhereverItIsCut) {
  const std::string query = GetParam().query;
  for (std::size_t cut = 1; cut < query.size(); ++cut) {
    TestScreen t(80, 24);
    t.feed("abc").feed(std::string_view(query).substr(0, cut));
    const bool answered = !t.queries().empty();
    EXPECT_TRUE(answered || t.screen().settled() == 3U) << "cut at " << cut;
    t.feed(std::string_view(query).substr(cut));
    EXPECT_EQ(t.screen().settled(), 3 + query.size());
    ASSERT_EQ(t.queries().size(), 1U) << "cut at " << cut;
    EXPECT_EQ(t.queries()[0].span.begin, 3U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sequences, QueryTest,
    testing::Values(
        Exchange{"Da1", "\x1b[c", "\x1b[?1;2c"}, Exchange{"Da1Zero", "\x1b[0c", "\x1b[?1;2c"},
        Exchange{"Da2", "\x1b[>c", "\x1b[>0;276;0c"},
        Exchange{"Da3", "\x1b[=c", "\x1bP!|00000000\x1b\\"},
        Exchange{"Xtversion", "\x1b[>q", "\x1bP>|holdfast " HOLDFAST_VERSION "\x1b\\"},
        Exchange{"DsrStatus", "\x1b[5n", "\x1b[0n"}, Exchange{"DsrCursor", "\x1b[6n", "\x1b[5;10R"},
        Exchange{"DecDsrCursor", "\x1b[?6n", "\x1b[?5;10R"},
        Exchange{"DecrqmSet", "\x1b[?2004$p", "\x1b[?2004;1$y"},
        Exchange{"DecrqmReset", "\x1b[?1$p", "\x1b[?1;2$y"},
        Exchange{"DecrqmUnknown", "\x1b[?99$p", "\x1b[?99;0$y"},
        Exchange{"RqmInsert", "\x1b[4$p", "\x1b[4;2$y"},
        Exchange{"DecrqssSgr", "\x1bP$qm\x1b\\", "\x1bP1$r0;1;31m\x1b\\"},
        Exchange{"DecrqssMargins", "\x1bP$qr\x1b\\", "\x1bP1$r2;20r\x1b\\"},
        Exchange{"DecrqssProtection", "\x1bP$q\"q\x1b\\", "\x1bP1$r0\"q\x1b\\"},
        Exchange{"DecrqssLevel", "\x1bP$q\"p\x1b\\", "\x1bP1$r61;1\"p\x1b\\"},
        Exchange{"DecrqssCursor", "\x1bP$q q\x1b\\", "\x1bP1$r4 q\x1b\\"},
        Exchange{"DecrqssUnknown", "\x1bP$qx\x1b\\", "\x1bP0$r\x1b\\"},
        Exchange{"OscPalette", "\x1b]4;1;?\x1b\\", "\x1b]4;1;rgb:cccc/0000/0000\x1b\\"},
        Exchange{"OscPaletteTwo", "\x1b]4;1;?;2;?\x07",
                 "\x1b]4;1;rgb:cccc/0000/0000\x1b\\\x1b]4;2;rgb:4e4e/9a9a/0606\x1b\\"},
        Exchange{"OscCube", "\x1b]4;110;?\x07", "\x1b]4;110;rgb:8787/afaf/d7d7\x1b\\"},
        Exchange{"OscGrey", "\x1b]4;232;?\x07", "\x1b]4;232;rgb:0808/0808/0808\x1b\\"},
        Exchange{"OscForeground", "\x1b]10;?\x07", "\x1b]10;rgb:ffff/ffff/ffff\x1b\\"},
        Exchange{"OscBackground", "\x1b]11;?\x07", "\x1b]11;rgb:0000/0000/0000\x1b\\"},
        Exchange{"OscCursor", "\x1b]12;?\x07", "\x1b]12;rgb:ffff/ffff/ffff\x1b\\"},
        Exchange{"XtgettcapName", "\x1bP+q544e\x1b\\",
                 "\x1bP1+r544E=787465726D2D323536636F6C6F72\x1b\\"},
        Exchange{"XtgettcapSome", "\x1bP+q436F;7878\x1b\\",
                 "\x1bP1+r436F=323536\x1b\\\x1bP0+r7878\x1b\\"},
        Exchange{"XtgettcapUnknown", "\x1bP+q6c73\x1b\\", "\x1bP0+r6C73\x1b\\"},
        Exchange{"XtgettcapNone", "\x1bP+q\x1b\\", "\x1bP0+r\x1b\\"},
        Exchange{"XtgettcapOdd", "\x1bP+q544\x1b\\", "\x1bP0+r\x1b\\"},
        Exchange{"XtgettcapText", "\x1bP+qls;544e\x1b\\",
                 "\x1bP0+r\x1b\\\x1bP1+r544E=787465726D2D323536636F6C6F72\x1b\\"},
        Exchange{"TitleReport", "\x1b[21t", ""}, Exchange{"IconReport", "\x1b[20t", ""},
        Exchange{"KittyKeyboard", "\x1b[?u", ""}, Exchange{"WindowPixels", "\x1b[14t", ""},
        Exchange{"CellPixels", "\x1b[16t", ""},
        Exchange{"WindowCells", "\x1b[18t", "\x1b[8;24;80t"},
        Exchange{"ScreenCells", "\x1b[19t", "\x1b[9;24;80t"}),
    [](const auto& info) { return info.param.name; });

TEST(QueryTest, EveryModeReportsItself) {
  constexpr const char* kModes[] = {"1",    "6",  "7",    "9",    "12",   "25",
                                    "45",   "66", "1000", "1002", "1003", "1004",
                                    "1006", "47", "1047", "1049", "2004", "2026"};
  for (const std::string mode : kModes) {
    TestScreen t;
    t.feed("\x1b[?" + mode + "h\x1b[?" + mode + "$p");
    EXPECT_EQ(t.reply(), "\x1b[?" + mode + ";1$y");
    t.feed("\x1b[?" + mode + "l\x1b[?" + mode + "$p");
    EXPECT_EQ(t.reply(), "\x1b[?" + mode + ";2$y");
  }
  TestScreen t;
  for (const auto& [query, reply] : {std::pair{"\x1b[?8$p", "\x1b[?8;3$y"},
                                     {"\x1b[?67$p", "\x1b[?67;4$y"},
                                     {"\x1b[?1005$p", "\x1b[?1005;4$y"},
                                     {"\x1b[?1048$p", "\x1b[?1048;1$y"},
                                     {"\x1b[?1016h\x1b[?1016$p", "\x1b[?1016;0$y"},
                                     {"\x1b[2$p", "\x1b[2;4$y"},
                                     {"\x1b[12$p", "\x1b[12;3$y"},
                                     {"\x1b[20$p", "\x1b[20;2$y"},
                                     {"\x1b[99$p", "\x1b[99;0$y"}}) {
    t.feed(query);
    EXPECT_EQ(t.reply(), reply);
  }
}

TEST(QueryTest, ChangedColoursAndThemesAreReported) {
  TestScreen t;
  Theme theme;
  theme.background = 0x123456;
  t.screen().set_theme(theme);
  t.feed("\x1b]11;?\x07");
  EXPECT_EQ(t.reply(), "\x1b]11;rgb:1212/3434/5656\x1b\\");
  t.feed("\x1b]11;#abcdef\x07\x1b]11;?\x07");
  EXPECT_EQ(t.reply(), "\x1b]11;rgb:abab/cdcd/efef\x1b\\");
}

TEST(QueryTest, ThePositionReportedIsNeverBeyondTheLastColumn) {
  TestScreen t(4, 1);
  t.feed("abcd\x1b[6n");
  EXPECT_EQ(t.reply(), "\x1b[1;4R");
}

// What no client does is not promised, and no viewer is asked, because its emulator might promise
// it.
TEST(QueryTest, WhatDoesNotWorkIsNotAnswered) {
  for (const std::string query : {"\x1b[>1u\x1b[?u", "\x1b[14t", "\x1b[14;2t", "\x1b[16t"}) {
    TestScreen t;
    t.feed(query);
    ASSERT_EQ(t.queries().size(), 1U) << printable(query);
    EXPECT_EQ(t.reply(), "") << printable(query);
  }
  TestScreen t;
  t.feed("\x1bP+q4d73\x1b\\");  // Ms, which is how OSC 52 is found.
  EXPECT_EQ(t.reply(), "\x1bP0+r4D73\x1b\\");
}

TEST(QueryTest, RepliesToSomeoneElseAreNotQueries) {
  TestScreen t;
  t.feed(
      "\x1b[?1;2c\x1b[1c\x1b[>1c\x1b[0n\x1b[5;5R\x1b[?1;1$y\x1b[8;24;80t\x1b]4;1;rgb:0/0/"
      "0\x07\x1bP1$rm\x1b\\");
  EXPECT_TRUE(t.queries().empty());
}

TEST(QueryTest, WhatCannotBecomeAQueryIsNotHeldBack) {
  for (const std::string text : {"\x1b]52;c;aaaa", "\x1b_aaaa", "\x1b]1337;aaaa", "\x1bPqaaaa"}) {
    TestScreen t;
    t.feed(text);
    EXPECT_EQ(t.screen().settled(), text.size()) << text.substr(1);
  }
  TestScreen t;
  t.feed("\x1b]4;" + std::string(Parser::kMaxText + 1, 'x'));
  EXPECT_EQ(t.screen().settled(), t.screen().position()) << "longer than any query";
}

TEST(QueryTest, AScreenWithoutASinkIsTheSameScreen) {
  Screen silent({.cols = 10, .rows = 4});
  silent.feed(
      "a\x1b[6n\x1b[c\x1b]10;?\x07"
      "b");
  TestScreen t;
  t.feed(
      "a\x1b[6n\x1b[c\x1b]10;?\x07"
      "b");
  EXPECT_EQ(describe_difference(silent.state(), t.state()), "");
}

}  // namespace
}  // namespace vt
