#include <gtest/gtest.h>

#include "vt/test_difference.h"
#include "vt/test_screen.h"

namespace vt {
namespace {

TEST(OscTest, TitleAndIconName) {
  TestScreen t;
  t.feed("\x1b]0;both\x07");
  EXPECT_EQ(t.state().titles.title, "both");
  EXPECT_EQ(t.state().titles.icon, "both");
  t.feed("\x1b]1;icon\x1b\\\u009d2;t\xc3\xaft;le\u009c");
  EXPECT_EQ(t.state().titles.title, "t\xc3\xaft;le");
  EXPECT_EQ(t.state().titles.icon, "icon");
}

TEST(OscTest, TitlesArePushedAndPopped) {
  TestScreen t;
  t.feed("\x1b]2;a\x07\x1b]1;i\x07\x1b[22;0t\x1b]0;b\x07\x1b[22;2t\x1b]2;c\x07\x1b[23;2t");
  EXPECT_EQ(t.state().titles.title, "b");
  t.feed("\x1b[23t");
  EXPECT_EQ(t.state().titles.title, "a");
  EXPECT_EQ(t.state().titles.icon, "i");
  t.feed("\x1b[22;1t\x1b]1;j\x07\x1b[23;1t");
  EXPECT_EQ(t.state().titles.icon, "i");
}

TEST(OscTest, TheTitleStackKeepsTheNewestTen) {
  TestScreen t;
  for (int i = 0; i < 20; ++i) t.feed("\x1b]2;" + std::to_string(i) + "\x07\x1b[22;2t");
  EXPECT_EQ(t.state().titles.title_stack.size(), 10U);
  EXPECT_EQ(t.state().titles.title_stack.front(), "10");
}

TEST(OscTest, CancelledAndOverlongCommandsAreDropped) {
  TestScreen t;
  t.feed("\x1b]2;no\x18\x1b]2;" + std::string(Parser::kMaxText + 1, 'x') +
         "\x07"
         "ab");
  EXPECT_EQ(t.state().titles.title, "");
  EXPECT_EQ(t.row(0), "ab");
  t.feed("\x1b]2;" + std::string(Parser::kMaxText, 'x') + "\x07");
  EXPECT_EQ(t.state().titles.title.size(), Parser::kMaxText);
}

TEST(OscTest, LinksAreOnTheCellsPrintedWithThem) {
  TestScreen t;
  t.feed("\x1b]8;id=x:y=z;http://a/;b\x07l\x1b]8;;\x07n");
  EXPECT_EQ(t.style(0, 0), "link=x;http://a/;b");
  EXPECT_EQ(t.style(1, 0), "");
}

TEST(OscTest, LinksThatNobodyShowsAreForgotten) {
  TestScreen t(80, 24);
  for (int i = 0; i < 50'000; ++i)
    t.feed("\x1b]8;;http://example.com/" + std::string(100, 'a') + std::to_string(i) + "\x07x\r");
  EXPECT_LT(t.screen().memory(), 64U * 1024);
  EXPECT_EQ(t.style(0, 0), "link=;http://example.com/" + std::string(100, 'a') + "49999");
}

struct Spec {
  const char* text;
  std::uint32_t color;
};

TEST(OscTest, ColoursAreSetInEveryNotation) {
  constexpr Spec kSpecs[] = {{"#f80", 0xf08000},
                             {"#00ff7f", 0x00ff7f},
                             {"#123456789", 0x124578},
                             {"#111122223333", 0x112233},
                             {"rgb:f/8/0", 0xff8800},
                             {"rgb:ff/80/00", 0xff8000},
                             {"rgb:fff/800/000", 0xff8000},
                             {"RGB:FFFF/8000/0000", 0xff8000}};
  for (const Spec& spec : kSpecs) {
    TestScreen t;
    t.feed("\x1b]4;7;" + std::string(spec.text) + "\x07");
    ASSERT_TRUE(t.state().palette.changed.contains(7)) << spec.text;
    EXPECT_EQ(t.state().palette.changed.at(7), spec.color) << spec.text;
  }
}

TEST(OscTest, WhatIsNotAColourIsIgnored) {
  for (const char* text : {"4;7;red", "4;7;#ff", "4;256;#fff", "4;x;#fff", "4;7;rgb:f/ff/f", "4;7",
                           "4", "10;", "10;rgb:"}) {
    TestScreen t;
    t.feed("\x1b]" + std::string(text) + "\x07");
    EXPECT_EQ(t.state().palette, Palette()) << text;
  }
}

TEST(OscTest, SpecialColoursFollowEachOther) {
  TestScreen t;
  t.feed("\x1b]10;#111111;#222222;#333333;#444444\x07");
  EXPECT_EQ(t.state().palette.changed.at(Palette::kForeground), 0x111111U);
  EXPECT_EQ(t.state().palette.changed.at(Palette::kBackground), 0x222222U);
  EXPECT_EQ(t.state().palette.changed.at(Palette::kCursor), 0x333333U);
  t.feed("\x1b]11;#555555\x07\x1b]12;#666666\x07");
  EXPECT_EQ(t.state().palette.changed.at(Palette::kBackground), 0x555555U);
  EXPECT_EQ(t.state().palette.changed.at(Palette::kCursor), 0x666666U);
}

TEST(OscTest, ColoursAreRestored) {
  TestScreen t;
  t.feed("\x1b]4;1;#111111;2;#222222;3;#333333\x07\x1b]10;#444444;#555555;#666666\x07");
  t.feed("\x1b]104;1;2\x07");
  EXPECT_EQ(t.state().palette.changed.size(), 4U);
  t.feed("\x1b]104\x07");
  EXPECT_EQ(t.state().palette.changed.size(), 3U);
  t.feed("\x1b]110\x07\x1b]111\x07\x1b]112\x07");
  EXPECT_EQ(t.state().palette, Palette());
}

TEST(OscTest, WorkingDirectory) {
  TestScreen t;
  t.feed("\x1b]7;file://host/home/a%20b\x1b\\");
  EXPECT_EQ(t.state().working_directory, "file://host/home/a%20b");
}

TEST(OscTest, PromptMarksStayWithTheirRows) {
  TestScreen t(10, 2);
  t.feed(
      "\x1b]133;A\x07$ \x1b]133;B\x07ls\r\n\x1b]133;C\x07out\r\n\x1b]133;D;3\x07\x1b]133;A\x07$ ");
  EXPECT_EQ(t.buffer().grid.row(0).marks.bits, PromptMarks::kOutput);
  const PromptMarks last = t.buffer().grid.row(1).marks;
  EXPECT_EQ(last.bits, PromptMarks::kEnd | PromptMarks::kPrompt | PromptMarks::kHasStatus);
  EXPECT_EQ(last.status, 3);
  Tables tables;
  Row row;
  History::Reader reader(t.state().history, kAllHistory);
  ASSERT_TRUE(reader.next(10, tables, row));
  EXPECT_EQ(row.marks.bits, PromptMarks::kPrompt | PromptMarks::kCommand);
}

TEST(OscTest, UnknownCommandsPassWithoutATrace) {
  TestScreen t;
  t.feed(
      "a\x1b]52;c;aGk=\x07\x1b]9;hi\x07\x1b]1337;File=:AAAA\x1b\\\x1b]x\x07\x1b];\x07"
      "b");
  TestScreen expected;
  expected.feed("ab");
  EXPECT_EQ(describe_difference(t.state(), expected.state()), "");
}

}  // namespace
}  // namespace vt
