// The law of snapshots is only as good as the comparison that tests it: every part of the state
// must count.

#include <gtest/gtest.h>

#include "vt/test_difference.h"
#include "vt/test_screen.h"

namespace vt {
namespace {

struct Change {
  const char* name;
  const char* bytes;
  const char* difference;  // how the description starts
};

class DifferenceTest : public testing::TestWithParam<Change> {};

constexpr const char* kBase = "one\r\ntwo\r\nthree\r\nfour\r\nfive\x1b[2;2H";

TEST_P(DifferenceTest, IsSeen) {
  TestScreen base;
  base.feed(kBase);
  TestScreen changed;
  changed.feed(kBase).feed(GetParam().bytes);
  EXPECT_TRUE(describe_difference(base.state(), changed.state()).starts_with(GetParam().difference))
      << describe_difference(base.state(), changed.state());
  EXPECT_EQ(describe_difference(changed.state(), changed.state()), "");
}

INSTANTIATE_TEST_SUITE_P(
    Parts, DifferenceTest,
    testing::Values(
        Change{"Cursor", "\x1b[C", "primary: cursor"},
        Change{"Margins", "\x1b[1;3r\x1b[2;2H", "primary: margins"},
        Change{"Tabs", "\x1bH", "primary: tab stops"},
        Change{"Saved",
               "\x1b"
               "7",
               "primary: saved"},
        Change{"Keyboard", "\x1b[=1u", "primary: keyboard"},
        Change{"Text", "x\x1b[2;2H", "primary: row 1: text"},
        Change{"SpaceIsNotEmpty", "\x1b[4;9H \x1b[2;2H", "primary: row 3: text"},
        Change{"Style", "\x1b[31mh\x1b[m\x1b[2;2H", "primary: row 1: style"},
        Change{"EmptyStyle", "\x1b[1;9H\x1b[44m\x1b[X\x1b[m\x1b[2;2H", "primary: row 0: style"},
        Change{"LinkTarget", "\x1b]8;;a\x07h\x1b]8;;\x07\x1b[2;2H", "primary: row 1: style"},
        Change{"Marks", "\x1b]133;A\x07", "primary: row 1: prompt"},
        Change{"Wrapped", "\x1b[2;10Hxyz\x1b[2;10H\x1b[X\x1b[3;1Hfour\x1b[2;2H",
               "primary: row 2: wrapped"},
        Change{"Alternate", "\x1b[?1047h", "active screen"},
        Change{"AlternateSaved",
               "\x1b[?1047h\x1b"
               "7\x1b[?1047l",
               "alternate: saved"},
        Change{"Pen", "\x1b[1m", "pen"}, Change{"PenLink", "\x1b]8;;a\x07", "pen"},
        Change{"PenUnderlineColour", "\x1b[58;5;1m", "pen"},
        Change{"Preceding", "h\x1b[2;1Ht", "preceding"},
        Change{"Charset", "\x1b)0", "character sets"}, Change{"Shift", "\x0e", "character sets"},
        Change{"Mode", "\x1b[?2004h", "modes"}, Change{"CursorStyle", "\x1b[3 q", "modes"},
        Change{"Visibility", "\x1b[?25l", "lasting modes"},
        Change{"Newline", "\x1b[20h", "lasting modes"}, Change{"Mouse", "\x1b[?1002h", "mouse"},
        Change{"MouseEncoding", "\x1b[?1006h", "mouse"}, Change{"Title", "\x1b]2;t\x07", "titles"},
        Change{"TitleStack", "\x1b[22;2t", "titles"},
        Change{"Directory", "\x1b]7;d\x07", "working directory"},
        Change{"Palette", "\x1b]4;1;#fff\x07", "palette"},
        Change{"HistoryRows", "\x1b[3J", "number of history rows"}),
    [](const auto& info) { return info.param.name; });

TEST(DifferenceTest, HistoryTextIsSeen) {
  TestScreen a(5, 1);
  TestScreen b(5, 1);
  a.feed("one\r\nx");
  b.feed("two\r\nx");
  EXPECT_EQ(describe_difference(a.state(), b.state()).substr(0, 13), "history row 0");
}

TEST(DifferenceTest, SizeIsSeen) {
  EXPECT_EQ(describe_difference(TestScreen(5, 1).state(), TestScreen(5, 2).state()), "size");
}

}  // namespace
}  // namespace vt
