// Sequences that move the cursor, tab stops, margins, saved cursors, character sets.

#include <gtest/gtest.h>

#include "vt/test_screen.h"

namespace vt {
namespace {

struct Move {
  const char* name;
  const char* bytes;
  Cursor end;
};

class CursorMoveTest : public testing::TestWithParam<Move> {};

// From column 4, row 2 (counted from 0) of a 10x5 screen.
TEST_P(CursorMoveTest, Ends) {
  TestScreen t(10, 5);
  t.feed("\x1b[3;5H").feed(GetParam().bytes);
  EXPECT_EQ(t.cursor(), GetParam().end);
}

INSTANTIATE_TEST_SUITE_P(
    Sequences, CursorMoveTest,
    testing::Values(
        Move{"CuuUp", "\x1b[A", {4, 1}}, Move{"CuuStopsAtTop", "\x1b[9A", {4, 0}},
        Move{"CudDown", "\x1b[2B", {4, 4}}, Move{"CudStopsAtBottom", "\x1b[9B", {4, 4}},
        Move{"CufForward", "\x1b[3C", {7, 2}}, Move{"CufStopsAtEdge", "\x1b[2147483647C", {9, 2}},
        Move{"CubBackward", "\x1b[D", {3, 2}}, Move{"CubStopsAtEdge", "\x1b[99D", {0, 2}},
        Move{"CnlNextLine", "\x1b[E", {0, 3}}, Move{"CplPrecedingLine", "\x1b[2F", {0, 0}},
        Move{"ChaColumn", "\x1b[8G", {7, 2}}, Move{"HpaColumn", "\x1b[8`", {7, 2}},
        Move{"HprForward", "\x1b[2a", {6, 2}}, Move{"VpaRow", "\x1b[5d", {4, 4}},
        Move{"VprDown", "\x1b[1e", {4, 3}}, Move{"CupHome", "\x1b[H", {0, 0}},
        Move{"CupPosition", "\x1b[2;4H", {3, 1}}, Move{"HvpPosition", "\x1b[2;4f", {3, 1}},
        Move{"CupIsClamped", "\x1b[99;99H", {9, 4}}, Move{"CarriageReturn", "\r", {0, 2}},
        Move{"Backspace", "\b\b", {2, 2}}, Move{"BackspaceStopsAtEdge", "\r\b", {0, 2}},
        Move{"LineFeed", "\n", {4, 3}}, Move{"VerticalTab", "\v", {4, 3}},
        Move{"FormFeed", "\f", {4, 3}}, Move{"Tab", "\t", {8, 2}},
        Move{"TabStopsAtEdge", "\t\t\t", {9, 2}}, Move{"ChtForwardTabs", "\x1b[2I", {9, 2}},
        Move{"CbtBackwardTab", "\x1b[Z", {0, 2}},
        Move{"Index",
             "\x1b"
             "D",
             {4, 3}},
        Move{"NextLine",
             "\x1b"
             "E",
             {0, 3}},
        Move{"ReverseIndex", "\x1bM", {4, 1}}, Move{"C1Index", "\u0084", {4, 3}},
        Move{"C1NextLine", "\u0085", {0, 3}}),
    [](const auto& info) { return info.param.name; });

TEST(CursorTest, ControlsWithoutAMeaningDoNothing) {
  TestScreen t;
  t.feed(
      std::string_view("a\0\x01\x05\x07\x7f"
                       "b",
                       7));
  EXPECT_EQ(t.row(0), "ab");
}

TEST(CursorTest, MovingEndsAPendingWrap) {
  TestScreen t(4, 2);
  t.feed("abcd\x1b[Cx");
  EXPECT_EQ(t.rows(), "abcx|");
}

TEST(CursorTest, LineFeedOnAPendingWrapStaysInTheLastColumn) {
  TestScreen t(4, 2);
  t.feed("abcd\nx");
  EXPECT_EQ(t.rows(), "abcd|...x");
}

TEST(CursorTest, NewlineModeReturnsTheCarriageToo) {
  TestScreen t(4, 3);
  t.feed("\x1b[20hab\nc\x1b[20l\nd");
  EXPECT_EQ(t.rows(), "ab|c|.d");
}

TEST(CursorTest, ReverseWraparoundBacksUpOverAWrap) {
  TestScreen t(3, 2);
  t.feed("abcd\b\b");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 0, .y = 1}));
  t.feed("\x1b[?45h\b");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 2, .y = 0}));
  EXPECT_FALSE(t.buffer().grid.row(1).wrapped);
}

TEST(CursorTest, TabStopsAreSetAndCleared) {
  TestScreen t(20, 1);
  t.feed("\x1b[1;4H\x1bH\r\t");
  EXPECT_EQ(t.cursor().x, 3);
  t.feed("\x1b[g\r\t");
  EXPECT_EQ(t.cursor().x, 8);
  t.feed("\x1b[3g\r\t");
  EXPECT_EQ(t.cursor().x, 19);
  t.feed("\x1b[1;6H\u0088\r\t");
  EXPECT_EQ(t.cursor().x, 5);
}

TEST(CursorTest, MarginsHomeTheCursorAndBoundVerticalMovement) {
  TestScreen t(5, 5);
  t.feed("\x1b[3;3H\x1b[2;4r");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 0, .y = 0}));
  t.feed("\x1b[3;1H\x1b[9A");
  EXPECT_EQ(t.cursor().y, 1);
  t.feed("\x1b[9B");
  EXPECT_EQ(t.cursor().y, 3);
  t.feed("\x1b[3;3r");
  EXPECT_EQ(t.buffer().top, 1) << "margins of one row are ignored";
  t.feed("\x1b[r");
  EXPECT_EQ(t.buffer().bottom, 4);
}

TEST(CursorTest, LineFeedAtTheBottomMarginScrollsTheRegion) {
  TestScreen t(3, 4);
  t.feed("a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\nX");
  EXPECT_EQ(t.rows(), "a|c|X|d");
  EXPECT_EQ(t.history(), "") << "what leaves a region below the top is not kept";
}

TEST(CursorTest, ARegionAtTheTopScrollsIntoTheHistory) {
  TestScreen t(3, 3);
  t.feed("a\r\nb\r\nc\x1b[1;2r\x1b[2;1H\nX");
  EXPECT_EQ(t.rows(), "b|X|c");
  EXPECT_EQ(t.history(), "a");
}

TEST(CursorTest, ReverseIndexAtTheTopMarginScrollsDown) {
  TestScreen t(3, 3);
  t.feed("a\r\nb\r\nc\x1b[H\x1bMx");
  EXPECT_EQ(t.rows(), "x|a|b");
}

TEST(CursorTest, OriginModeCountsFromTheMargins) {
  TestScreen t(5, 5);
  t.feed("\x1b[2;4r\x1b[?6h");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 0, .y = 1}));
  t.feed("\x1b[9;2H");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 1, .y = 3}));
  t.feed("\x1b[?6l");
  EXPECT_EQ(t.cursor(), (Cursor{.x = 0, .y = 0}));
}

struct SaveAndRestore {
  const char* name;
  const char* save;
  const char* restore;
};

class SavedCursorTest : public testing::TestWithParam<SaveAndRestore> {};

TEST_P(SavedCursorTest, RestoresPositionPenAndCharacterSet) {
  TestScreen t(10, 3);
  t.feed("\x1b[2;3H\x1b[1;31m\x1b(0").feed(GetParam().save);
  t.feed("\x1b[H\x1b[m\x1b(B").feed(GetParam().restore).feed("q");
  EXPECT_EQ(t.rows(), "|..─|");
  EXPECT_EQ(t.style(2, 1), "fg=1 bold");
}

INSTANTIATE_TEST_SUITE_P(Sequences, SavedCursorTest,
                         testing::Values(SaveAndRestore{"Decsc",
                                                        "\x1b"
                                                        "7",
                                                        "\x1b"
                                                        "8"},
                                         SaveAndRestore{"Scosc", "\x1b[s", "\x1b[u"},
                                         SaveAndRestore{"Mode1048", "\x1b[?1048h", "\x1b[?1048l"}),
                         [](const auto& info) { return info.param.name; });

TEST(CursorTest, ASavedRowMovesUpAsTheScreenScrolls) {
  TestScreen t(3, 3);
  t.feed(
      "\x1b[3;1H\x1b"
      "7\n\n\x1b"
      "8");
  EXPECT_EQ(t.cursor().y, 0);
}

TEST(CharsetTest, EveryDesignationReplacesItsCharacters) {
  struct Set {
    char final;
    const char* in;
    const char* out;
  };
  constexpr Set kSets[] = {
      {'0', "`qx~", "◆─│·"}, {'A', "#", "£"}, {'4', "@[", "¾i"}, {'5', "[", "Ä"},
      {'C', "~", "ü"},       {'R', "@", "à"}, {'Q', "^", "î"},   {'K', "~", "ß"},
      {'Y', "|", "ò"},       {'E', "[", "Æ"}, {'6', "\\", "Ø"},  {'Z', "]", "¿"},
      {'H', "@", "É"},       {'7', "`", "é"}, {'=', "_", "è"},   {'B', "`qx~", "`qx~"}};
  for (const Set& set : kSets) {
    TestScreen t;
    t.feed(std::string("\x1b(") + set.final + set.in);
    EXPECT_EQ(t.row(0), set.out) << set.final;
  }
}

TEST(CharsetTest, ShiftsSelectAmongFourSlots) {
  TestScreen t(20, 1);
  t.feed("\x1b)0\x1b*A\x1b+K").feed("q\x0eq\x0fq\x1bn#\x1bo~\x1b~q\x1b}#\x1b|~\x0fq");
  EXPECT_EQ(t.row(0), "q─q£ß─£ßq");
}

TEST(CharsetTest, TheNinetySixCharacterSlotsDesignateG1AndG2) {
  TestScreen t;
  t.feed("\x1b-0\x1b.A\x0eq\x1bn#\x1b/0#");
  EXPECT_EQ(t.row(0), "─££");
}

TEST(CharsetTest, SelectingUtf8OrMode2GoesBackToAscii) {
  TestScreen t;
  t.feed("\x1b(0\x1b%Gq\x1b(0\x1b%@q\x1b(0\x1b[?2hq");
  EXPECT_EQ(t.row(0), "qqq");
}

}  // namespace
}  // namespace vt
