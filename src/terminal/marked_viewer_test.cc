// What a viewer that asks for marks learns of where commands begin and end.

#include "terminal/test_viewer.h"

namespace terminal {
namespace {

using Seen = std::vector<std::string>;
constexpr vt::Size kWide{.cols = 12, .rows = 4};
constexpr vt::Size kNarrow{.cols = 7, .rows = 4};

constexpr std::string_view kPrompt = "\x1b]133;A;aid=k\x07$ \x1b]133;B;aid=k\x07";

std::string begins(const std::string& text) {
  return "\x1b]133;C;cmdline_url=" + text + ";aid=k\x07";
}
std::string ends(int status) {
  return "\x1b]133;D;" + std::to_string(status) + ";aid=k\x07";
}
// The slices without the marks' own bytes.
Seen shown(Seen seen) {
  for (std::string& each : seen)
    for (auto at = each.find("\x1b]"); at != std::string::npos; at = each.find("\x1b]"))
      each.erase(at, each.find('\x07', at) + 1 - at);
  return seen;
}

TEST(MarkedViewerTest, AClientThatAsksIsToldWhereCommandsBeginAndEnd) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.marks = true});
  TestViewer other(terminal);
  viewer.pull();
  other.pull();
  terminal.print(std::string(kPrompt) + "ls\r\n" + begins("ls") + "a b\r\n" + ends(0));
  terminal.print(std::string(kPrompt) + "x");
  EXPECT_EQ(shown(viewer.pull()),
            (Seen{"output $ ls\r\n", "begins ls", "output a b\r\n", "ends ls", "output $ x"}));
  EXPECT_EQ(shown(other.pull()), Seen{"output $ ls\r\na b\r\n$ x"});
}

TEST(MarkedViewerTest, ForeignMarksBeginNothing) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.marks = true});
  viewer.pull();
  terminal.print(std::string(kPrompt));
  terminal.print(
      "\x1b]133;C;cmdline_url=evil\x07out\x1b]133;D;0\x07\x1b]133;C;start=1;aid=other\x07");
  EXPECT_EQ(shown(viewer.pull()), Seen{"output $ out"});
}

TEST(MarkedViewerTest, AMarkAfterAResizeComesAfterIt) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.marks = true});
  viewer.pull();
  terminal.print(std::string(kPrompt) + "\r\n");
  terminal->resize(kWide);
  terminal.run();
  terminal.print(begins("top"));
  terminal->resize(kNarrow);
  terminal.run();
  terminal.print("out" + ends(1));
  EXPECT_EQ(shown(viewer.pull()), (Seen{"output $ \r\n", "resized 12x4", "output ", "resized 7x4",
                                        "begins top", "output out", "ends top"}));
}

TEST(MarkedViewerTest, MarksWithoutOutputBetweenThemComeInOrder) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.marks = true});
  viewer.pull();
  terminal.print(std::string(kPrompt) + begins("true") + "\x1b[5n" + ends(0));
  EXPECT_EQ(shown(viewer.pull()), (Seen{"output $ ", "begins true", "output ", "ends true"}));
}

TEST(MarkedViewerTest, AClientThatComesBackIsToldOfAMarkRightThereAgain) {
  TestTerminal terminal;
  terminal.print(std::string(kPrompt) + begins("make"));
  const auto since = terminal->screen().settled();
  terminal.print("out" + ends(2));
  TestViewer viewer(terminal, {.since = since, .marks = true});
  EXPECT_EQ(shown(viewer.pull()), (Seen{"begins make", "output out", "ends make"}));
  TestViewer later(terminal, {.since = since + 1, .marks = true});
  EXPECT_EQ(shown(later.pull()), (Seen{"output ut", "ends make"}));
}

TEST(MarkedViewerTest, ASnapshotHasTheMarksUpToIt) {
  TestTerminal terminal;
  terminal.print(std::string(kPrompt) + "ls\r\n" + begins("ls") + "a\r\n" + ends(0));
  const auto start = terminal->commands().all().back().start;
  terminal.print("\x1b]133;C;start=7\x07");
  TestViewer viewer(terminal, {.marks = true});
  EXPECT_EQ(viewer.pull(), Seen{"snapshot"});
  EXPECT_EQ(viewer.screen().state().primary.grid.row(1).marks,
            (vt::PromptMarks{.bits = vt::PromptMarks::kOutput, .start = start}));
  EXPECT_EQ(viewer.difference(), "");
}

TEST(MarkedViewerTest, AShownAgainViewerIsToldOfWhatItMissed) {
  TestTerminal terminal;
  TestViewer viewer(terminal, {.marks = true});
  viewer.pull();
  viewer->hide();
  terminal.print(std::string(kPrompt) + begins("make") + "x" + ends(2));
  EXPECT_EQ(viewer.pull(), Seen{"activity, title"});
  viewer->show();
  EXPECT_EQ(shown(viewer.pull()), (Seen{"output $ ", "begins make", "output x", "ends make"}));
}

}  // namespace
}  // namespace terminal
