// When checkpoints are written, and what becomes of a screen that is too large for one.

#include "terminal/checkpoints.h"

#include <sys/stat.h>

#include "terminal/test_viewer.h"
#include "vt/screen_json.h"

namespace terminal {
namespace {

// Whether a successor would need none of the output.
bool is_all_in_checkpoint(TestTerminal& terminal) {
  const auto latest = terminal.journal().open_consumer().checkpoints().latest();
  return latest && latest->offset == terminal.journal().producer.produced();
}

TEST(CheckpointsTest, OneIsWrittenWhenTheOutputPauses) {
  TestTerminal terminal;
  terminal.print("a few words");
  EXPECT_FALSE(is_all_in_checkpoint(terminal)) << "more may come";
  EXPECT_TRUE(terminal.run_until([&] { return is_all_in_checkpoint(terminal); }));
}

TEST(CheckpointsTest, OutputThatGoesOnIsInOneInTheEnd) {
  TestTerminal terminal;
  // Longer than the pause that would be waited for.
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(150);
  EXPECT_TRUE(terminal.run_until([&] {
    terminal.print_without_running("on and on ");
    return std::chrono::steady_clock::now() > until;
  }));
  EXPECT_TRUE(terminal.run_until([&] { return is_all_in_checkpoint(terminal); }));
}

TEST(CheckpointsTest, OneThatStopsWritesOneAtOnce) {
  TestTerminal terminal;
  terminal.print("a few words");
  terminal.stop();
  EXPECT_TRUE(is_all_in_checkpoint(terminal));
}

// How many pieces of the screen are in a colour that begins with these digits.
std::size_t coloured(const TestTerminal& terminal, std::string_view digits) {
  const std::string shown = vt::json(terminal->screen());
  std::size_t count = 0;
  for (auto at = shown.find(digits); at != std::string::npos; at = shown.find(digits, at + 1))
    ++count;
  return count;
}

TEST(CheckpointsTest, AScreenThatDoesNotFitComesBackWithItsTextAndFewerColours) {
  journal::Shape shape = kTestShape;
  shape.checkpoint = 4096;
  shape.rows = 20;
  shape.cols = 40;
  TestTerminal terminal(shape);
  for (int i = 0; i < 20 * 40 - 1; ++i)
    terminal.print_without_running("\x1b[38;2;1;2;" + std::to_string(i % 256) + "m" +
                                   static_cast<char>('a' + i % 26));
  terminal.run();
  const std::string text = vt::text(terminal->screen());
  const std::size_t colours = coloured(terminal, "#0102");
  EXPECT_EQ(colours, 20U * 40 - 1);
  terminal.stop();
  terminal.start();
  EXPECT_EQ(vt::text(terminal->screen()), text);
  EXPECT_LT(coloured(terminal, "#0102"), colours) << "there was no room for all";
  terminal.print("\x1b[2J\x1b[H\x1b[38;2;4;5;6mblue");
  terminal.stop();
  terminal.start();
  EXPECT_EQ(coloured(terminal, "#040506"), 1U) << "now there is";
}

// The journal keeps output only as far as it must. Without checkpoints that would be all of it, and
// the program would wait.
TEST(CheckpointsTest, AScreenMuchTooLargeDoesNotStopTheProgram) {
  journal::Shape shape = kTestShape;
  shape.checkpoint = 4096;
  shape.rows = 100;
  shape.cols = 100;
  TestTerminal terminal(shape);
  const std::string line(99, 'x');
  for (int i = 0; i < 5000; ++i) terminal.print(std::to_string(i) + line + "\r\n");
  EXPECT_GT(terminal.journal().producer.produced(), 4 * shape.replay);
  terminal.kill();
  terminal.start();
  EXPECT_TRUE(vt::text(terminal->screen()).contains("4999xxx")) << "what the journal still has";
}

// Of a long history only the newest lines lie there uncompressed when nothing happens.
TEST(CheckpointsTest, ALongHistoryTakesLessMemoryAtRestAndIsWhole) {
  journal::Shape shape = kTestShape;
  constexpr std::uint64_t kStore = 256 * 1024;
  shape.history = 1024 * 1024 + kStore;
  shape.cols = 80;
  TestTerminal terminal(shape);
  terminal.stop();
  terminal.journal().consumer.history().set_store(kStore);
  terminal.start();
  const std::string text(70, 'x');
  for (int i = 0; i < 8000; ++i) terminal.print_without_running(std::to_string(i) + text + "\r\n");
  terminal.run();
  const auto blocks = [&] {
    struct stat status{};
    EXPECT_EQ(::fstat(terminal.journal().memory.get(), &status), 0);
    return status.st_blocks;
  };
  const std::string shown = vt::text(terminal->screen(), {.history_rows = 10'000});
  const auto before = blocks();
  EXPECT_TRUE(terminal.run_until([&] { return blocks() < before * 2 / 3; }));
  EXPECT_TRUE(vt::text(terminal->screen(), {.history_rows = 10'000}) == shown);
}

}  // namespace
}  // namespace terminal
