// What a viewer gets, in every order of what can happen to it.

#include "terminal/viewer.h"

#include <algorithm>

#include "terminal/test_viewer.h"

namespace terminal {
namespace {

using Seen = std::vector<std::string>;
constexpr vt::Size kWide{.cols = 12, .rows = 4};

TEST(ViewerTest, ASnapshotComesFirstAndOutputFollows) {
  TestTerminal terminal;
  terminal.print("before");
  TestViewer viewer(terminal);
  EXPECT_EQ(viewer.pull(), Seen{"snapshot"});
  EXPECT_EQ(viewer.difference(), "");
  EXPECT_EQ(viewer.pull(), Seen{});
  terminal.print(" after");
  EXPECT_EQ(viewer.woken, 1);
  EXPECT_EQ(viewer.pull(), Seen{"output  after"});
  EXPECT_EQ(viewer.difference(), "");
}

TEST(ViewerTest, AClientThatHasTheOutputContinuesThere) {
  TestTerminal terminal;
  terminal.print("before");
  const auto since = terminal->screen().settled();
  terminal.print(" meanwhile");
  TestViewer viewer(terminal, {.since = since});
  EXPECT_TRUE(viewer->resumed());
  EXPECT_EQ(viewer.pull(), Seen{"output  meanwhile"});
}

TEST(ViewerTest, AClientFromAnotherTimeOrSizeGetsASnapshot) {
  TestTerminal terminal;
  terminal.print("before");
  EXPECT_FALSE(TestViewer(terminal, {.since = 99})->resumed()) << "nothing is there yet";
  terminal->resize(kWide);
  terminal.run();
  EXPECT_FALSE(TestViewer(terminal, {.since = 3})->resumed()) << "that was for another size";
  terminal.print("x");
  EXPECT_TRUE(TestViewer(terminal, {.since = 7})->resumed());
  for (int i = 0; i < 3000; ++i) terminal.print("line after line after line after line\r\n");
  EXPECT_FALSE(TestViewer(terminal, {.since = 7})->resumed()) << "that was overwritten";
}

TEST(ViewerTest, AResizeComesWhereItHappened) {
  TestTerminal terminal;
  TestViewer viewer(terminal);
  viewer.pull();
  terminal.print("one");
  terminal->resize(kWide);
  terminal.run();
  terminal.print("two");
  EXPECT_EQ(viewer.pull(), (Seen{"output one", "resized 12x4", "output two"}));
  EXPECT_EQ(viewer.difference(), "");
}

TEST(ViewerTest, OutputComesInPiecesOfWholeCharacters) {
  TestTerminal terminal;
  TestViewer viewer(terminal);
  viewer.pull();
  terminal.print("a€b");
  EXPECT_EQ(viewer.pull(3), (Seen{"output a", "output €", "output b"}));
}

TEST(ViewerTest, QueriesAreAnsweredHereAndPassedOver) {
  TestTerminal terminal;
  TestViewer viewer(terminal);
  viewer.pull();
  terminal.print("\x1b[5n");
  EXPECT_EQ(viewer.pull(), Seen{});
  EXPECT_EQ(viewer->offset(), terminal->screen().settled());
  EXPECT_EQ(terminal.typed(), "\x1b[0n");
}

TEST(ViewerTest, ASlowOneGetsASnapshotWhenItHasDealtWithTheRest) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.window = Viewer::kSmallestWindow});
  viewer.pull();
  for (int i = 0; i < 1000; ++i) terminal.print("a line of output that nobody reads\r\n");
  EXPECT_EQ(viewer.pull(), Seen{"snapshot"});
  viewer->acknowledge(viewer->offset());
  terminal.print("x");
  const auto sent = viewer->offset();
  EXPECT_EQ(viewer.pull(), Seen{"output x"});
  for (int i = 0; i < 300; ++i) terminal.print("a line of output that is read\r\n");
  viewer.pull();
  EXPECT_LE(viewer->offset() - sent, Viewer::kSmallestWindow);
  for (int i = 0; i < 1000; ++i) terminal.print("a line of output that nobody reads\r\n");
  EXPECT_EQ(viewer.pull(), Seen{}) << "it has yet to deal with what it was sent";
  viewer->acknowledge(viewer->offset());
  EXPECT_EQ(viewer.pull(), Seen{"snapshot"});
  EXPECT_EQ(viewer.difference(), "");
}

// With less than that it would be sent one small piece after another.
TEST(ViewerTest, AWindowIsNotSmallerThanTheSmallest) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.window = 1});
  EXPECT_EQ(viewer->window(), Viewer::kSmallestWindow);
  viewer.pull();
  const std::string text(Viewer::kSmallestWindow, 'x');
  terminal.print(text);
  viewer.pull();
  EXPECT_EQ(viewer.output, text);
  EXPECT_EQ(&viewer->terminal(), terminal.operator->());
}

TEST(ViewerTest, ALosslessOneGetsEverything) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.loss = Loss::never});
  viewer.pull();
  std::string expected;
  for (int i = 0; i < 4000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\r\n";
    expected += line;
    terminal.print_without_running(line);
    if (i % 50 == 0) {
      terminal.run();
      viewer.pull();
    }
  }
  terminal.run();
  viewer.pull();
  EXPECT_EQ(std::ranges::count(viewer.seen, "snapshot"), 1);
  EXPECT_TRUE(viewer.output == expected);
}

// The keeper overwrites what nobody reads if it has heard of no daemon for long. A lossless viewer
// once waited for that output for ever, and the program for the viewer.
TEST(ViewerTest, ALosslessOneGoesOnAfterOutputThatIsLost) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.loss = Loss::never});
  viewer.pull();
  terminal.print("before");
  terminal.overwrite("a line that nobody reads\r\n");
  terminal.run();
  ASSERT_EQ(viewer.pull(), Seen{"snapshot"});
  EXPECT_EQ(viewer.difference(), "");
  EXPECT_EQ(terminal->audience().needed_from(), terminal->stream().end());
  terminal.print("after");
  EXPECT_EQ(viewer.pull(), Seen{"output after"});
}

// It once got no resize any more when one that it had not seen was forgotten.
TEST(ViewerTest, ALosslessOneGetsTheLatestResizesHoweverManyThereWere) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.loss = Loss::never});
  viewer.pull();
  terminal.print("before");
  for (int i = 0; i < static_cast<int>(Stream::kKnownResizes) + 10; ++i) {
    terminal->resize({.cols = 20 + i % 100, .rows = 4});
    terminal.run();
  }
  terminal.print("after");
  viewer.pull();
  EXPECT_EQ(viewer.output, "beforeafter");
  EXPECT_EQ(viewer.screen().size(), terminal->screen().size());
  EXPECT_EQ(std::ranges::count(viewer.seen, "snapshot"), 1);
  terminal->resize(kNarrow);
  terminal.run();
  EXPECT_EQ(viewer.pull(), Seen{"resized 7x4"});
}

// Its history takes several turns to write.
TEST(ViewerTest, ALongSnapshotIsMadeInTurnsAndSharedByThoseWhoWait) {
  TestTerminal terminal(kLongShape);
  terminal.print_long_history();
  TestViewer one(terminal);
  TestViewer other(terminal);
  TestViewer third(terminal);
  EXPECT_FALSE(one.pull_one());
  EXPECT_TRUE(one->waits_for_snapshot());
  EXPECT_FALSE(other.pull_one());
  EXPECT_FALSE(third.pull_one());
  terminal.print_without_running("meanwhile");
  third.leave();
  terminal.run();
  EXPECT_EQ(one.woken, 2) << "for the snapshot and for what came meanwhile";
  EXPECT_EQ(one.pull(), (Seen{"snapshot", "output meanwhile"}));
  EXPECT_EQ(other.pull(), (Seen{"snapshot", "output meanwhile"}));
  EXPECT_EQ(one.difference(), "");
  EXPECT_EQ(other.difference(), "");

  TestViewer late(terminal);
  EXPECT_FALSE(late.pull_one());
  terminal->resize({.cols = 79, .rows = 4});
  terminal.run();
  EXPECT_EQ(late.pull(), (Seen{"resized 79x4", "snapshot"})) << "the old one was abandoned";
  EXPECT_EQ(late.difference(), "");
}

TEST(ViewerTest, TheExitComesLastAndOnce) {
  TestTerminal terminal;
  TestViewer viewer(terminal);
  viewer.pull();
  terminal.print("last words");
  terminal.exit(3);
  EXPECT_EQ(viewer.pull(), (Seen{"output last words", "exited"}));
  EXPECT_EQ(viewer.pull(), Seen{});
  EXPECT_EQ(terminal->exit()->code, 3);
  TestViewer late(terminal);
  EXPECT_EQ(late.pull(), (Seen{"snapshot", "exited"}));
}

TEST(ViewerTest, OneThatIsLetGoGetsNothingMore) {
  TestTerminal terminal;
  TestViewer one(terminal);
  TestViewer other(terminal);
  one.pull();
  terminal->audience().let_go_all(Detached::takeover, other.operator->());
  terminal.print("x");
  EXPECT_EQ(one.pull(), Seen{});
  EXPECT_EQ(one.seen.back(), "taken over");
  EXPECT_EQ(other.pull(), Seen{"snapshot"});
  EXPECT_EQ(terminal->audience().size(), 1U);
}

// One whose client keeps its own size sees something else while the sizes differ.
TEST(ViewerTest, OneWithItsOwnSizeIsDrawnAnewWhenTheSizesAreTheSameAgain) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.sizing = Sizing::own, .size = kWide});
  EXPECT_EQ(viewer.pull(), Seen{"snapshot"});
  TestViewer other(terminal, {.size = kNarrow});
  terminal.print("x");
  EXPECT_EQ(viewer.pull(), (Seen{"resized 7x4", "output x"}));
  viewer->became_active();
  terminal.run();
  EXPECT_EQ(viewer.pull(), (Seen{"resized 12x4", "snapshot"}));
  EXPECT_EQ(viewer.difference(), "");
}

enum Happening { printing, resizing, another_comes, taken_over, exiting, pulling, hiding, showing };

// What a viewer shows in the end is what the terminal shows.
Seen after(const std::vector<Happening>& order) {
  TestTerminal terminal;
  TestViewer viewer(terminal);
  std::optional<TestViewer> other;
  bool has_exited = false;
  for (const Happening happening : order) switch (happening) {
      case printing:
        if (!has_exited) terminal.print("some text\r\nand more");
        break;
      case resizing:
        terminal->resize(kNarrow);
        terminal.run();
        break;
      case another_comes:
        other.emplace(terminal, ViewerOptions{.size = kWide});
        break;
      case taken_over:
        if (other) terminal->audience().let_go_all(Detached::takeover, viewer.operator->());
        break;
      case exiting:
        has_exited = true;
        terminal.exit();
        break;
      case pulling:
        viewer.pull_one(5);
        break;
      case hiding:
        viewer->hide();
        break;
      case showing:
        viewer->show();
        break;
    }
  terminal.run();
  viewer.pull(5);
  if (viewer->is_hidden()) {
    viewer->show();
    viewer.pull(5);
  }
  EXPECT_EQ(viewer.difference(), "");
  EXPECT_EQ(std::ranges::count(viewer.seen, "exited"), 1);
  if (other && std::ranges::count(other->seen, "taken over") == 0) {
    other->pull();
    EXPECT_EQ(other->difference(), "");
  }
  return viewer.seen;
}

TEST(ViewerTest, InEveryOrder) {
  std::vector<Happening> order{printing, resizing, another_comes, taken_over, exiting, pulling};
  int orders = 0;
  do {
    ASSERT_EQ(after(order).back(), "exited");
    ASSERT_FALSE(HasFailure());
    ++orders;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(orders, 720);
}

TEST(ViewerTest, HiddenInEveryOrder) {
  std::vector<Happening> order{printing, resizing, exiting, pulling, hiding, showing};
  int orders = 0;
  do {
    after(order);
    ASSERT_FALSE(HasFailure());
    ++orders;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(orders, 720);
}

}  // namespace
}  // namespace terminal
