// A terminal that comes back from its journal, whatever its predecessor was doing.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>

#include "terminal/test_viewer.h"
#include "vt/screen_json.h"

namespace terminal {
namespace {

constexpr vt::Size kTall{.cols = 12, .rows = 6};

// A screen that was never killed.
class Expected {
 public:
  Expected() { screen_.attach_history(vt::History(ring_)); }
  vt::Screen* operator->() { return &screen_; }
  [[nodiscard]] std::string difference(const vt::Screen& other) const {
    return vt::describe_difference(other.state(), screen_.state());
  }

 private:
  std::vector<std::byte> ring_ = std::vector<std::byte>(1 << 20);
  vt::Screen screen_{{.cols = kTestShape.cols, .rows = kTestShape.rows}};
};

journal::Resize record_of(std::size_t offset, vt::Size size) {
  return {.offset = offset,
          .rows = static_cast<std::uint16_t>(size.rows),
          .cols = static_cast<std::uint16_t>(size.cols)};
}

// A resize is recorded, done, and followed by a checkpoint. A daemon that is killed in between has
// only recorded it.
TEST(RecoveryTest, AResizeThatWasOnlyRecordedIsDoneWhereItWas) {
  const std::string_view text = "some text\r\nthat wraps at the edge\r\nand\r\nscrolls";
  for (std::size_t first = 0; first <= text.size(); first += 4) {
    for (std::size_t second = first; second <= text.size(); second += 4) {
      TestTerminal terminal;
      terminal.kill();
      journal::ResizeLog& log = terminal.journal().consumer.resizes();
      ASSERT_TRUE(log.record(record_of(first, kNarrow), 0));
      ASSERT_TRUE(log.record(record_of(second, kTall), 0));
      terminal.print_without_running(text);
      terminal.start();
      Expected expected;
      expected->feed(text.substr(0, first));
      expected->resize(kNarrow);
      expected->feed(text.substr(first, second - first));
      expected->resize(kTall);
      expected->feed(text.substr(second));
      ASSERT_EQ(expected.difference(terminal->screen()), "") << first << " " << second;
      terminal.kill();
      terminal.start();
      ASSERT_EQ(expected.difference(terminal->screen()), "") << "it is done once";
    }
  }
}

// Printing, a query, a resize, a death, output while nobody is there and the exit, in every order.
// The successor shows the same as if nobody had died, and a query is answered once.
TEST(RecoveryTest, InEveryOrder) {
  constexpr int kEvents = 6;
  std::array<int, kEvents> order{};
  for (int i = 0; i < kEvents; ++i) order[static_cast<std::size_t>(i)] = i;
  int orders = 0;
  do {
    TestTerminal terminal;
    Expected expected;
    std::string answers;
    std::string typed;
    // A program that has ended prints nothing.
    const auto says = [&](std::string_view text) {
      if (terminal.info.exit) return;
      expected->feed(text);
      terminal.print_without_running(text);
    };
    const std::function<void()> events[kEvents] = {
        [&] {
          says("\x1b[31msome text\r\nand more");
          terminal.run();
        },
        [&] {
          if (!terminal.info.exit) answers += "\x1b[0n";
          says("\x1b[5n");
          typed += terminal.typed();
        },
        [&] {
          expected->resize(kNarrow);
          terminal->resize(kNarrow);
          terminal.run();
        },
        [&] {
          terminal.kill();
          terminal.start();
        },
        [&] {
          terminal.kill();
          if (!terminal.info.exit) answers += "\x1b[0n";
          says("1\r\n2\r\n3\r\n4\r\n5\x1b[5n");
          terminal.start();
        },
        [&] { terminal.exit(3); },
    };
    for (const int event : order) {
      events[event]();
      ASSERT_EQ(expected.difference(terminal->screen()), "");
    }
    ASSERT_EQ(typed + terminal.typed(), answers);
    ASSERT_TRUE(terminal->exit());
    ASSERT_EQ(terminal->exit()->code, 3);
    TestViewer viewer(terminal);
    viewer.pull();
    ASSERT_EQ(viewer.difference(), "");
    ASSERT_EQ(viewer.seen.back(), "exited");
    ++orders;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(orders, 720);
}

// A daemon that dies while it writes a checkpoint leaves that one damaged. The one before and the
// output after it are enough; so is all output, if the journal still has it.
TEST(RecoveryTest, ADamagedCheckpointIsMadeUpForByOutput) {
  for (const unsigned damaged : {0U, 1U, 2U, 3U}) {
    TestTerminal terminal;
    for (const vt::Size size : {kNarrow, kTall}) {
      terminal.print("\x1b[32mgreen\r\nlines\r\n");
      terminal->resize(size);
      terminal.run();
    }
    terminal.print("and the last");
    const std::string shown = vt::json(terminal->screen());
    terminal.kill();
    const journal::Constants& constants = terminal.journal().consumer.constants();
    const std::uint64_t slots =
        journal::kPage + constants.output_capacity + constants.history_capacity;
    for (unsigned slot = 0; slot < 2; ++slot) {
      if ((damaged >> slot & 1) == 0) continue;
      const std::uint64_t at = slots + slot * constants.checkpoint_capacity + 64;
      ASSERT_EQ(::pwrite(terminal.journal().memory.get(), "torn", 4, static_cast<off_t>(at)), 4);
    }
    ASSERT_EQ(terminal.journal().consumer.checkpoints().latest().has_value(), damaged != 3);
    terminal.start();
    EXPECT_EQ(vt::json(terminal->screen()), shown) << damaged;
  }
}

// The keeper overwrites unread output if it has heard of no daemon for long, though one runs.
TEST(RecoveryTest, OutputThatIsLostWhileItRunsIsSkipped) {
  TestTerminal terminal;
  vt::Theme red;
  red.background = 0xff0000;
  TestViewer viewer(terminal, {.theme = red});
  viewer.pull();
  terminal.print("\x1b[1mbold\r\n");
  terminal.overwrite("a line that nobody reads\r\n");
  terminal.run();
  terminal.print("\r\nafter");
  EXPECT_TRUE(vt::text(terminal->screen()).contains("after"));
  EXPECT_EQ(viewer.pull(), std::vector<std::string>{"snapshot"});
  EXPECT_EQ(viewer.difference(), "");
  terminal.print("\x1b]11;?\x07");
  EXPECT_EQ(terminal.typed(), "\x1b]11;rgb:ffff/0000/0000\x1b\\") << "the colours are known";
  const std::string shown = vt::json(terminal->screen());
  terminal.kill();
  terminal.start();
  EXPECT_EQ(vt::json(terminal->screen()), shown);
}

TEST(RecoveryTest, AnExitThatTheKeeperKnowsIsTold) {
  TestTerminal terminal;
  terminal.print("last words");
  terminal.kill();
  terminal.info.exit = keeper::ChildExit{.status = {.code = 4}, .offset = 10};
  terminal.happened.clear();
  terminal.start();
  EXPECT_EQ(terminal.happened.back(), "exited");
  EXPECT_EQ(exit_code(*terminal->exit()), 4);
}

}  // namespace
}  // namespace terminal
