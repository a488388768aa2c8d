// What a viewer gets while its client does not show the terminal, and when it does again.

#include <chrono>

#include "terminal/test_viewer.h"

namespace terminal {
namespace {

using Seen = std::vector<std::string>;

TEST(HiddenViewerTest, AHiddenOneIsToldOfOutputAndContinuesWhereItWas) {
  TestTerminal terminal;
  TestViewer viewer(terminal);
  viewer.pull();
  viewer->hide();
  EXPECT_EQ(viewer.pull(), Seen{});
  terminal.print("meanwhile");
  EXPECT_EQ(viewer.pull(), (Seen{"activity, title"})) << "which one it has seen is not known";
  EXPECT_EQ(viewer.pull(), Seen{});
  viewer->show();
  EXPECT_EQ(viewer.pull(), Seen{"output meanwhile"});
  EXPECT_EQ(viewer.difference(), "");
}

TEST(HiddenViewerTest, AHiddenOneIsToldOfTheBellAndTheTitle) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.hidden = true});
  EXPECT_EQ(viewer.pull(), Seen{});
  terminal.print("x");
  EXPECT_EQ(viewer.pull(), Seen{"activity"});
  terminal.print("y");
  EXPECT_EQ(viewer.pull(), Seen{}) << "a client that looks for other slices is not told again";
  terminal.print("\a\a");
  viewer->wake();
  EXPECT_EQ(viewer.pull(), Seen{"activity, bell"});
  terminal.print("\x1b]2;make\x07");
  viewer->wake();
  EXPECT_EQ(viewer.pull(), Seen{"activity, title"}) << "the BEL that ends a title does not ring";
  terminal.print("\x1b]2;make\x07");
  viewer->wake();
  EXPECT_EQ(viewer.pull(), Seen{"activity"});
  viewer->show();
  EXPECT_EQ(viewer.pull(), Seen{"snapshot"}) << "it has never had one";
  EXPECT_EQ(viewer.difference(), "");
}

TEST(HiddenViewerTest, AHiddenOneIsNotWokenForAFlood) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.window = Viewer::kSmallestWindow});
  viewer.pull();
  viewer->hide();
  viewer.pull();
  viewer.woken = 0;
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < 3000; ++i) terminal.print("a line of output that nobody sees\r\n");
  const auto seconds = (std::chrono::steady_clock::now() - begun) / Audience::kBetweenGlances;
  EXPECT_LE(viewer.woken, seconds + 2);
  EXPECT_EQ(viewer.pull(), Seen{"activity, title"});
  viewer->show();
  EXPECT_EQ(viewer.pull(), Seen{"snapshot"}) << "it has fallen behind";
  EXPECT_EQ(viewer.difference(), "");
}

TEST(HiddenViewerTest, AHiddenOneIsToldOfTheLastOutputToo) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.hidden = true});
  terminal.print("first");
  viewer.pull();
  viewer.woken = 0;
  terminal.print("last\a");
  EXPECT_EQ(viewer.woken, 0) << "not so soon";
  EXPECT_TRUE(terminal.run_until([&] { return viewer.woken == 1; }));
  EXPECT_EQ(viewer.pull(), Seen{"activity, bell"});
}

TEST(HiddenViewerTest, AHiddenOneThatWasAwayIsToldWhetherThereWasOutput) {
  TestTerminal terminal;
  terminal.print("before");
  const auto since = terminal->screen().settled();
  EXPECT_EQ(TestViewer(terminal, {.since = since, .hidden = true}).pull(), Seen{});
  terminal.print(" meanwhile");
  EXPECT_EQ(TestViewer(terminal, {.hidden = true}).pull(), Seen{});
  TestViewer viewer(terminal, {.since = since, .hidden = true});
  EXPECT_TRUE(viewer->resumed());
  EXPECT_EQ(viewer.pull(), Seen{"activity"});
  viewer->show();
  EXPECT_EQ(viewer.pull(), Seen{"output  meanwhile"});
}

TEST(HiddenViewerTest, AHiddenOneIsToldOfTheExitAtOnce) {
  TestTerminal terminal;
  TestViewer viewer(terminal);
  viewer.pull();
  viewer->hide();
  terminal.print("last words");
  terminal.exit(3);
  EXPECT_EQ(viewer.pull(), (Seen{"activity, title", "exited"}));
  viewer->show();
  EXPECT_EQ(viewer.pull(), Seen{"output last words"}) << "the exit is told once";
}

TEST(HiddenViewerTest, OneThatIsHiddenDuringALongSnapshotGetsAnotherOne) {
  TestTerminal terminal(kLongShape);
  terminal.print_long_history();
  TestViewer viewer(terminal);
  EXPECT_FALSE(viewer.pull_one());
  EXPECT_TRUE(viewer->waits_for_snapshot());
  viewer->hide();
  EXPECT_FALSE(viewer->waits_for_snapshot());
  terminal.print("meanwhile");
  EXPECT_EQ(viewer.pull(), (Seen{"activity, title"}));
  viewer->show();
  EXPECT_EQ(viewer.pull(), (Seen{"snapshot"}));
  EXPECT_EQ(viewer.difference(), "");
}

}  // namespace
}  // namespace terminal
