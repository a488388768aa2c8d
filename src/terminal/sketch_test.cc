#include "terminal/sketch.h"

#include <gtest/gtest.h>

namespace terminal {
namespace {

using Lines = std::map<int, std::string>;

void print(vt::Screen& screen, std::string_view text) {
  screen.feed(std::as_bytes(std::span(text)));
}

TEST(SketchTest, HasAllRowsFirstAndThenThoseThatHaveChanged) {
  vt::Screen screen({.cols = 10, .rows = 3});
  print(screen, "one\r\n\x1b[1;31mtwo");
  Sketch sketch;
  const auto first = sketch.take(screen);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->rows, 3);
  EXPECT_EQ(first->cols, 10);
  EXPECT_EQ(first->cursor, std::pair(3, 1));
  EXPECT_EQ(first->lines, (Lines{{0, R"([["one"]])"}, {1, R"([["two","fg=1 bold"]])"}, {2, "[]"}}));
  EXPECT_EQ(sketch.take(screen), std::nullopt);
  print(screen, "\x1b[1;1HO");
  const auto second = sketch.take(screen);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->lines, (Lines{{0, R"([["O","fg=1 bold"],["ne"]])"}}));
  print(screen, "\x1b[?25l");
  const auto third = sketch.take(screen);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->cursor, std::nullopt);
  EXPECT_TRUE(third->lines.empty());
}

TEST(SketchTest, NeverHasALink) {
  vt::Screen screen({.cols = 10, .rows = 1});
  print(screen, "\x1b]8;;http://secret/\x07here\x1b]8;;\x07");
  Sketch sketch;
  EXPECT_EQ(sketch.take(screen)->lines.at(0).find("secret"), std::string::npos);
}

TEST(SketchTest, OfALargeScreenHasThePartWithTheNewestText) {
  vt::Screen screen({.cols = 300, .rows = 200});
  print(screen, "first\r\n");
  Sketch sketch;
  const auto first = sketch.take(screen);
  EXPECT_EQ(first->rows, Sketch::kMostRows);
  EXPECT_EQ(first->cols, Sketch::kMostCols);
  EXPECT_EQ(first->lines.at(0), R"([["first"]])") << "The rest of the screen is empty.";
  EXPECT_EQ(first->cursor, std::pair(0, 1));
  for (int i = 0; i < 99; ++i) print(screen, "line\r\n");
  print(screen, "last");
  const auto second = sketch.take(screen);
  EXPECT_EQ(second->lines.at(Sketch::kMostRows - 1), R"([["last"]])");
  EXPECT_EQ(second->cursor, std::pair(4, Sketch::kMostRows - 1));
}

TEST(SketchTest, AnotherSizeBringsAllRows) {
  vt::Screen screen({.cols = 10, .rows = 2});
  Sketch sketch;
  (void)sketch.take(screen);
  screen.resize({.cols = 12, .rows = 2});
  EXPECT_EQ(sketch.take(screen)->lines.size(), 2U);
}

}  // namespace
}  // namespace terminal
