// Modes, resets, the alternate screen, cursor styles, keyboard flags.

#include <gtest/gtest.h>

#include "vt/test_screen.h"

namespace vt {
namespace {

struct FlagMode {
  const char* number;
  bool Modes::* flag;
};

TEST(ModesTest, PrivateModesAreFlags) {
  constexpr FlagMode kModes[] = {{"1", &Modes::application_cursor_keys},
                                 {"45", &Modes::reverse_wraparound},
                                 {"66", &Modes::application_keypad},
                                 {"1004", &Modes::send_focus},
                                 {"2004", &Modes::bracketed_paste},
                                 {"2026", &Modes::synchronized_output},
                                 {"6", &Modes::origin},
                                 {"7", &Modes::wraparound}};
  for (const FlagMode& mode : kModes) {
    TestScreen t;
    t.feed("\x1b[?" + std::string(mode.number) + "h");
    EXPECT_TRUE(t.state().modes.*mode.flag) << mode.number;
    t.feed("\x1b[?" + std::string(mode.number) + "l");
    EXPECT_FALSE(t.state().modes.*mode.flag) << mode.number;
  }
}

TEST(ModesTest, SeveralModesInOneSequence) {
  TestScreen t;
  t.feed("\x1b[?1;2004;1006h\x1b[4;20h");
  EXPECT_TRUE(t.state().modes.application_cursor_keys && t.state().modes.bracketed_paste);
  EXPECT_EQ(t.state().mouse_encoding, MouseEncoding::sgr);
  EXPECT_TRUE(t.state().modes.insert && t.state().lasting.newline);
}

TEST(ModesTest, KeypadModeHasItsOwnEscapes) {
  TestScreen t;
  t.feed("\x1b=");
  EXPECT_TRUE(t.state().modes.application_keypad);
  t.feed("\x1b>");
  EXPECT_FALSE(t.state().modes.application_keypad);
}

TEST(ModesTest, OneMouseProtocolAtATimeAndResettingAnyEndsIt) {
  TestScreen t;
  t.feed("\x1b[?9h");
  EXPECT_EQ(t.state().mouse_protocol, MouseProtocol::x10);
  t.feed("\x1b[?1000h");
  EXPECT_EQ(t.state().mouse_protocol, MouseProtocol::vt200);
  t.feed("\x1b[?1002h");
  EXPECT_EQ(t.state().mouse_protocol, MouseProtocol::drag);
  t.feed("\x1b[?1003h");
  EXPECT_EQ(t.state().mouse_protocol, MouseProtocol::any);
  t.feed("\x1b[?1000l");
  EXPECT_EQ(t.state().mouse_protocol, MouseProtocol::none);
  t.feed("\x1b[?1016h");
  EXPECT_EQ(t.state().mouse_encoding, MouseEncoding::sgr_pixels);
  t.feed("\x1b[?1006l");
  EXPECT_EQ(t.state().mouse_encoding, MouseEncoding::basic);
}

TEST(ModesTest, CursorVisibilityAndBlinking) {
  TestScreen t;
  t.feed("\x1b[?25l\x1b[?12h");
  EXPECT_FALSE(t.state().lasting.cursor_visible);
  EXPECT_EQ(t.state().lasting.blink_option, true);
  t.feed("\x1b[?25h\x1b[?12l");
  EXPECT_TRUE(t.state().lasting.cursor_visible);
  EXPECT_EQ(t.state().lasting.blink_option, false);
}

TEST(ModesTest, DecscusrSetsShapeAndBlinking) {
  TestScreen t;
  t.feed("\x1b[3 q");
  EXPECT_EQ(t.state().modes.cursor_shape, CursorShape::underline);
  EXPECT_EQ(t.state().modes.cursor_blink, true);
  t.feed("\x1b[6 q");
  EXPECT_EQ(t.state().modes.cursor_shape, CursorShape::bar);
  EXPECT_EQ(t.state().modes.cursor_blink, false);
  t.feed("\x1b[0 q");
  EXPECT_EQ(t.state().modes.cursor_shape, CursorShape::unset);
  EXPECT_EQ(t.state().modes.cursor_blink, std::nullopt);
}

TEST(ModesTest, FullResetKeepsWhatXtermJsKeeps) {
  TestScreen t(4, 2);
  t.feed(
      "a\r\nb\r\nc\x1b[31m\x1b[?2004h\x1b[?25l\x1b[20h\x1b]2;title\x07\x1b[?1049hx\x1b"
      "c");
  EXPECT_EQ(t.rows(), "|");
  EXPECT_EQ(t.history(), "");
  EXPECT_FALSE(t.state().alternate_active);
  EXPECT_EQ(t.pen(), "");
  EXPECT_EQ(t.state().modes, Modes());
  EXPECT_FALSE(t.state().lasting.cursor_visible);
  EXPECT_TRUE(t.state().lasting.newline);
  EXPECT_EQ(t.state().titles.title, "title");
}

TEST(ModesTest, SoftResetKeepsTheScreen) {
  TestScreen t(4, 3);
  t.feed(
      "ab\x1b[31m\x1b[2;3r\x1b[?6h\x1b[4h\x1b[?25l\x1b(0\x1b"
      "7\x1b[!p");
  EXPECT_EQ(t.row(0), "ab");
  EXPECT_EQ(t.pen(), "");
  EXPECT_EQ(t.buffer().bottom, 2);
  EXPECT_EQ(t.state().modes, Modes());
  EXPECT_TRUE(t.state().lasting.cursor_visible);
  EXPECT_EQ(t.state().charsets, Charsets());
  EXPECT_EQ(t.buffer().saved, SavedCursor());
}

struct ScreenMode {
  const char* number;
  Cursor after;  // back on the primary screen
};

TEST(AlternateTest, EveryModeSwitchesToABlankScreenAndBack) {
  constexpr ScreenMode kModes[] = {{"47", {0, 1}}, {"1047", {0, 1}}, {"1049", {2, 0}}};
  for (const ScreenMode& mode : kModes) {
    TestScreen t(5, 3);
    t.feed("ab\x1b[?" + std::string(mode.number) + "h");
    EXPECT_TRUE(t.state().alternate_active);
    EXPECT_EQ(t.rows(), "||");
    EXPECT_EQ(t.cursor(), (Cursor{.x = 2, .y = 0})) << "the cursor comes along";
    t.feed("xyz\r\n\x1b[?" + std::string(mode.number) + "l");
    EXPECT_EQ(t.rows(), "ab||");
    EXPECT_EQ(t.cursor(), mode.after) << mode.number;
  }
}

TEST(AlternateTest, ItHasNoHistoryAndIsBlankEveryTime) {
  TestScreen t(2, 2);
  t.feed("\x1b[?1049h1\r\n2\r\n3\r\n4\x1b[?1049l\x1b[?1049h");
  EXPECT_EQ(t.rows(), "|");
  EXPECT_EQ(t.history(), "");
}

TEST(AlternateTest, MarginsTabsAndSavedCursorAreItsOwn) {
  TestScreen t(20, 5);
  t.feed("\x1b[2;3r\x1b[3g\x1b[?1047h");
  EXPECT_EQ(t.buffer().bottom, 4);
  t.feed("\r\t");
  EXPECT_EQ(t.cursor().x, 8);
  t.feed(
      "\x1b[4;5H\x1b"
      "7\x1b[?1047l");
  EXPECT_EQ(t.buffer().saved, SavedCursor());
  EXPECT_EQ(t.buffer().bottom, 2);
}

TEST(KeyboardTest, FlagsAreSetPushedAndPopped) {
  TestScreen t;
  t.feed("\x1b[=5u");
  EXPECT_EQ(t.buffer().keyboard.current, 5);
  t.feed("\x1b[=2;2u");
  EXPECT_EQ(t.buffer().keyboard.current, 7);
  t.feed("\x1b[=1;3u");
  EXPECT_EQ(t.buffer().keyboard.current, 6);
  t.feed("\x1b[>1u\x1b[>3u\x1b[<u");
  EXPECT_EQ(t.buffer().keyboard.current, 1);
  t.feed("\x1b[<1u");
  EXPECT_EQ(t.buffer().keyboard.current, 6);
  t.feed("\x1b[<9u");
  EXPECT_EQ(t.buffer().keyboard, KeyboardFlags());
}

TEST(KeyboardTest, TheStackIsBoundedAndEachScreenHasOne) {
  TestScreen t;
  for (int i = 0; i < 100; ++i) t.feed("\x1b[>1u");
  EXPECT_EQ(t.buffer().keyboard.pushed.size(), KeyboardFlags::kMaxPushed);
  t.feed("\x1b[?1049h");
  EXPECT_EQ(t.buffer().keyboard, KeyboardFlags());
}

}  // namespace
}  // namespace vt
