#include "terminal/commands.h"

#include <gtest/gtest.h>

#include "terminal/test_terminal.h"

namespace terminal {
namespace {

using Kind = vt::ShellMark::Kind;
using State = Commands::State;

constexpr base::WallTime kNow{std::chrono::milliseconds(1'763'000'000'123)};

vt::ShellMark mark(Kind kind, std::string text = {}, std::optional<std::uint8_t> status = {},
                   std::string key = "k") {
  return {.kind = kind, .status = status, .text = std::move(text), .key = std::move(key)};
}

// A prompt, a command and its end, with marks at offset + 1 to offset + 4.
void run(Commands& commands, journal::Offset offset, const std::string& text, int status = 0) {
  commands.take(offset + 1, mark(Kind::prompt), "/d", kNow);
  commands.take(offset + 2, mark(Kind::command), "/d", kNow);
  commands.take(offset + 3, mark(Kind::output, text), "/d", kNow);
  commands.take(offset + 4, mark(Kind::end, {}, static_cast<std::uint8_t>(status)), "/d", kNow);
}

TEST(CommandsTest, FollowsAShell) {
  Commands commands;
  EXPECT_EQ(commands.state(), State::unknown);
  EXPECT_FALSE(commands.is_integrated());
  commands.take(5, mark(Kind::prompt), "", kNow);
  commands.take(10, mark(Kind::command), "", kNow);
  EXPECT_TRUE(commands.is_integrated());
  EXPECT_EQ(commands.state(), State::prompt);
  commands.take(20, mark(Kind::command), "", kNow);
  EXPECT_EQ(commands.last_prompt(), 10U) << "It was only drawn again.";
  commands.take(30, mark(Kind::output, "make"), "/src", kNow);
  ASSERT_NE(commands.running(), nullptr);
  EXPECT_EQ(commands.running()->text, "make");
  commands.take(40, mark(Kind::end, {}, 2), "/elsewhere", {});
  EXPECT_EQ(commands.state(), State::unknown);
  const Command expected{.start = 30,
                         .end = 40,
                         .exit_code = 2,
                         .started = kNow,
                         .ended = {},
                         .directory = "/src",
                         .text = "make"};
  EXPECT_EQ(commands.all(), std::deque{expected});
  EXPECT_EQ(commands.first_started_after(29), &commands.all()[0]);
  EXPECT_EQ(commands.first_started_after(30), nullptr);
  EXPECT_EQ(commands.first_ended_after(39), &commands.all()[0]);
  EXPECT_EQ(commands.first_ended_after(40), nullptr);
}

TEST(CommandsTest, AnEndWithoutACommandEndsNothing) {
  Commands commands;
  run(commands, 0, "ls", 1);
  commands.take(10, mark(Kind::end, {}, 2), "", kNow);
  EXPECT_EQ(commands.all().size(), 1U);
  EXPECT_EQ(commands.all()[0].exit_code, 1);
  EXPECT_EQ(commands.last_end(), (Commands::End{.offset = 10, .status = 2}));
}

// A file that is shown must not end the command that shows it.
TEST(CommandsTest, OnlyMarksWithTheShellsKeyCount) {
  Commands commands;
  commands.take(1, mark(Kind::output, "old", {}, ""), "", kNow);
  EXPECT_EQ(commands.all().size(), 1U);
  commands.take(2, mark(Kind::command), "", kNow);
  EXPECT_TRUE(commands.all().empty()) << "What came before the shell's first mark was not its own.";
  commands.take(3, mark(Kind::output, "cat evil"), "", kNow);
  for (const char* key : {"", "other"}) {
    commands.take(4, mark(Kind::end, {}, 0, key), "", kNow);
    commands.take(5, mark(Kind::output, "rm", {}, key), "", kNow);
  }
  ASSERT_NE(commands.running(), nullptr);
  EXPECT_EQ(commands.running()->text, "cat evil");
  EXPECT_EQ(commands.all().size(), 1U);
}

TEST(CommandsTest, TheShellMayAskForMore) {
  Commands commands;
  commands.take(1, mark(Kind::command), "", kNow);
  commands.take(2, mark(Kind::more), "", kNow);
  EXPECT_EQ(commands.state(), State::more);
  EXPECT_EQ(Commands::decode(commands.encode()), commands);
  commands.take(3, mark(Kind::output, "if a; then"), "", kNow);
  EXPECT_EQ(commands.state(), State::running);
}

TEST(CommandsTest, LinesThatWereEnteredAtOnceAreOneCommand) {
  Commands commands;
  commands.take(1, mark(Kind::output, "a"), "", kNow);
  commands.take(2, mark(Kind::output, "b"), "", kNow);
  commands.take(3, mark(Kind::end, {}, 0), "", kNow);
  ASSERT_EQ(commands.all().size(), 1U);
  EXPECT_EQ(commands.all()[0].text, "a\nb");
  EXPECT_EQ(commands.all()[0].start, 1U);
}

TEST(CommandsTest, ForgetsTheOldest) {
  Commands commands;
  for (journal::Offset i = 0; i < 1010; ++i) run(commands, 10 * i, std::to_string(i));
  EXPECT_EQ(commands.all().size(), Commands::kMost);
  EXPECT_EQ(commands.all().front().text, "10");
  for (journal::Offset i = 1010; i < 1100; ++i)
    run(commands, 10 * i, std::string(vt::ShellMark::kMaxText, 'x'));
  EXPECT_LE(commands.all().size(), 16U);
  EXPECT_EQ(Commands::decode(commands.encode()), commands);
}

TEST(CommandsTest, ComesBackFromACheckpoint) {
  Commands commands;
  EXPECT_EQ(commands.encode(), "");
  EXPECT_EQ(Commands::decode("\x1b[31mred"), Commands());
  run(commands, 0, "printf ';|%s\n\t\u00e4'", 255);
  commands.take(10, mark(Kind::command), "/a;b|c", kNow);
  commands.take(11, mark(Kind::output), "/a;b|c", {});
  const std::string bytes = commands.encode();
  EXPECT_EQ(Commands::decode(bytes + "\x1b"
                                     "c and a screen"),
            commands);
  vt::Screen screen({.cols = 80, .rows = 2});
  screen.feed(bytes + "x");
  EXPECT_EQ(screen.state().primary.cursor.x, 1) << "Terminals must ignore it.";
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    (void)Commands::decode(bytes.substr(0, cut) + "\x1b\\");
}

TEST(CommandsTest, ThoseOfAFormerTerminalHaveNoOffsets) {
  Commands former;
  run(former, 0, "make", 2);
  Commands commands = Commands::of_former(former);
  EXPECT_EQ(Commands::decode(commands.encode()), commands);
  ASSERT_EQ(commands.all().size(), 1U);
  EXPECT_EQ(commands.first_ended_after(0), nullptr);
  EXPECT_EQ(commands.all()[0].exit_code, 2);
  EXPECT_FALSE(commands.has_marks());
  run(commands, 10, "ls");
  ASSERT_EQ(commands.all().size(), 2U);
  EXPECT_EQ(commands.all()[0].text, "make");
  EXPECT_EQ(commands.first_started_after(0)->text, "ls");
}

// --- with a journal ---

std::string osc(const std::string& text) {
  return "\x1b]133;" + text + ";aid=1\x07";
}

// Whenever the daemon is killed, its successor has the same list, but for times it cannot know.
TEST(CommandsTest, ASuccessorHasTheSameCommands) {
  std::string session;
  for (int i = 0; i < 12; ++i)
    session += osc("A") + "$ " + osc("B") + "c" + std::to_string(i) + "\r\n" +
               osc("C;cmdline_url=c" + std::to_string(i)) + std::string(20, 'o') + "\r\n" +
               osc("D;" + std::to_string(i));
  TestTerminal whole;
  whole.print(session);
  const Commands expected = whole->commands();
  ASSERT_EQ(expected.all().size(), 12U);
  for (std::size_t cut = 1; cut < session.size(); cut += 7) {
    TestTerminal terminal;
    terminal.print(session.substr(0, cut / 2));
    terminal.stop();  // Writes a checkpoint.
    terminal.start();
    terminal.print(session.substr(cut / 2, cut - cut / 2));
    terminal.kill();
    terminal.start();
    terminal.print(session.substr(cut));
    const Commands& found = terminal->commands();
    ASSERT_EQ(found.all().size(), expected.all().size()) << cut;
    for (std::size_t i = 0; i < found.all().size(); ++i) {
      Command a = found.all()[i];
      Command b = expected.all()[i];
      a.started = a.ended = b.started = b.ended = {};
      EXPECT_EQ(a, b) << cut;
    }
    EXPECT_TRUE(found.all().back().ended);
  }
}

TEST(CommandsTest, TimesThatNobodySawAreNotInvented) {
  TestTerminal terminal;
  terminal.print(osc("B") + osc("C;cmdline_url=a"));
  terminal.kill();
  terminal.print_without_running(osc("D;0") + osc("B") + osc("C;cmdline_url=b"));
  terminal.start();
  terminal.print(osc("D;0"));
  const auto& all = terminal->commands().all();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_FALSE(all[0].ended);
  EXPECT_FALSE(all[1].started);
  EXPECT_TRUE(all[1].ended);
}

TEST(CommandsTest, TellsOfWhatAMarkIs) {
  Commands commands;
  EXPECT_EQ(commands.take(1, mark(Kind::prompt), "", kNow), 0U);
  EXPECT_EQ(commands.take(2, mark(Kind::command), "", kNow), 0U);
  EXPECT_EQ(commands.take(3, mark(Kind::output, "a"), "", kNow), 3U);
  EXPECT_EQ(commands.take(4, mark(Kind::output, "evil", {}, "other"), "", kNow), std::nullopt);
  EXPECT_EQ(commands.take(5, mark(Kind::output, "b"), "", kNow), 3U) << "one command of two lines";
  EXPECT_EQ(commands.take(6, mark(Kind::end), "", kNow), 3U);
  EXPECT_EQ(commands.take(7, mark(Kind::end), "", kNow), 0U) << "nothing ran";
  EXPECT_EQ(commands.take(7, mark(Kind::end), "", kNow), std::nullopt) << "it was taken already";
}

TEST(CommandsTest, FindsWhereCommandsBeginAndEnd) {
  Commands commands;
  EXPECT_EQ(commands.boundary_after(0), std::nullopt);
  run(commands, 10, "a");
  run(commands, 20, "b");
  commands.take(33, mark(Kind::output, "c"), "", kNow);
  std::vector<journal::Offset> found;
  for (auto next = commands.boundary_after(0); next; next = commands.boundary_after(found.back())) {
    found.push_back(next->offset);
    EXPECT_TRUE(next->command->start == next->offset || next->command->end == next->offset);
  }
  EXPECT_EQ(found, (std::vector<journal::Offset>{13, 14, 23, 24, 33}));
  EXPECT_EQ(commands.started_at(23), &commands.all()[1]);
  EXPECT_EQ(commands.started_at(24), nullptr);
}

TEST(CommandsTest, ThoseOfAFormerTerminalBeginNowhere) {
  Commands former;
  run(former, 10, "a");
  Commands commands = Commands::of_former(former);
  EXPECT_EQ(commands.boundary_after(0), std::nullopt);
  EXPECT_EQ(commands.started_at(0), nullptr);
  run(commands, 100, "b");
  EXPECT_EQ(commands.boundary_after(0).value().offset, 103U);
}

}  // namespace
}  // namespace terminal
