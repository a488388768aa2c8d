// A terminal that follows its journal, is stopped or killed, and comes back.

#include "terminal/terminal.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "terminal/paste.h"
#include "terminal/test_viewer.h"
#include "vt/capture.h"

namespace terminal {
namespace {

// A shell whose controlling terminal it is. It starts in /usr.
class Program {
 public:
  Program(const TestTerminal& terminal, const char* script) {
    const base::Fd slave = terminal.open_slave();
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::setsid();
    ::ioctl(slave.get(), TIOCSCTTY, 0);
    for (int fd = 0; fd < 3; ++fd) ::dup2(slave.get(), fd);
    if (::chdir("/usr") == 0) ::execlp("bash", "bash", "-c", script, nullptr);
    ::_exit(127);
  }
  ~Program() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

TEST(TerminalTest, ASuccessorHasTheSameScreen) {
  TestTerminal terminal;
  terminal.print("\x1b[31mred\r\nand more\x1b[4m");
  terminal->resize({.cols = 7, .rows = 3});
  terminal.run();
  terminal.print("narrow");
  const std::string text = vt::text(terminal->screen());
  terminal.stop();
  terminal.start();
  EXPECT_EQ(vt::text(terminal->screen()), text);
  EXPECT_EQ(terminal->screen().size(), (vt::Size{.cols = 7, .rows = 3}));
  terminal.print(" on");
  TestViewer viewer(terminal);
  viewer.pull();
  EXPECT_EQ(viewer.difference(), "");
}

// --- input with keys, and leases ---

journal::Shape with_input_area() {
  journal::Shape shape = kTestShape;
  shape.history += journal::kInputArea;
  return shape;
}

// A terminal whose journal has an input area.
class KeyedTerminal : public TestTerminal {
 public:
  KeyedTerminal() : TestTerminal(with_input_area()) {
    journal().consumer.history().set_store(journal::kInputArea);
    journal().consumer.history().set_input_area();
    next_daemon();
  }
  void next_daemon() {
    kill();
    start();
  }
  base::Status send(const std::string& key, std::string_view bytes) {
    return (*this)->typing().send(bytes, {.keyed = {.key = key}});
  }
  std::string read(std::size_t size) {
    std::string all;
    EXPECT_TRUE(run_until([&] { return (all += typed()).size() >= size; })) << all.size();
    return all;
  }
};

TEST(TerminalTest, ASuccessorTypesWhatWasAcceptedAndNothingTwice) {
  KeyedTerminal terminal;
  const std::string large(20'000, 'x');
  ASSERT_TRUE(terminal.send("a", large)) << "more than the PTY takes";
  ASSERT_TRUE(terminal.send("b", "behind it"));
  terminal.next_daemon();
  ASSERT_NE(terminal->typing().accepted("a"), nullptr);
  ASSERT_TRUE(terminal->typing().write("!")) << "what is typed later comes later";
  EXPECT_TRUE(terminal.read(large.size() + 10) == large + "behind it!");
  terminal.next_daemon();
  EXPECT_EQ(terminal.typed(), "");
}

TEST(TerminalTest, KeyedInputIsInOrderWithOther) {
  KeyedTerminal terminal;
  const std::string large(30'000, 'x');
  ASSERT_TRUE(terminal->typing().write(large));
  ASSERT_TRUE(terminal.send("a", "keyed"));
  ASSERT_TRUE(terminal->typing().write("other"));
  EXPECT_TRUE(terminal.read(large.size() + 10) == large + "keyedother");
}

TEST(TerminalTest, AnOlderJournalRefusesKeys) {
  TestTerminal terminal;
  const auto refused = terminal->typing().send("x", {.keyed = {.key = "a"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::unsupported);
  EXPECT_TRUE(terminal->typing().send("x"));
  EXPECT_EQ(terminal.typed(), "x");
}

TEST(TerminalTest, APersonTakesTheKeyboardBackBeforeTheKeyIsTyped) {
  KeyedTerminal terminal;
  const std::string lease(journal::kLeaseIdSize, '1');
  ASSERT_TRUE(terminal->keyboard().take(lease, "bot", std::chrono::seconds(60)));
  EXPECT_FALSE(terminal->typing().send("refused"));
  ASSERT_TRUE(terminal->typing().write("\x1b[I")) << "only a focus report";
  ASSERT_TRUE(terminal->typing().send("held", {.lease = lease}));
  terminal.next_daemon();
  ASSERT_TRUE(
      terminal->typing().write(pasted("person", terminal->screen().state().modes.bracketed_paste)));
  EXPECT_FALSE(terminal->typing().send("refused", {.lease = lease}));
  EXPECT_EQ(terminal.typed(), "\x1b[Iheldperson");
}

TEST(TerminalTest, AQueryIsAnsweredOnceAlsoByASuccessor) {
  TestTerminal terminal;
  terminal.print("\x1b[5n");
  EXPECT_EQ(terminal.typed(), "\x1b[0n");
  terminal.stop();
  terminal.print_without_running("\x1b[6n");
  terminal.start();
  EXPECT_EQ(terminal.typed(), "\x1b[1;1R") << "the one that nobody had answered";
}

TEST(TerminalTest, OutputWhileNobodyWasThereIsRead) {
  TestTerminal terminal;
  terminal.stop();
  terminal.print_without_running("meanwhile");
  terminal.start();
  EXPECT_TRUE(vt::text(terminal->screen()).starts_with("meanwhile"));
}

TEST(TerminalTest, APreambleIsShownBeforeAllElseAndOnce) {
  TestTerminal terminal;
  terminal.stop();
  terminal.start(Preamble{.rows = "old rows", .cols = 10, .mark = "--\r\n"});
  terminal.print("new");
  EXPECT_TRUE(vt::text(terminal->screen()).starts_with("old rows\n--\nnew"))
      << vt::text(terminal->screen());
  TestViewer viewer(terminal, {.since = 0});
  EXPECT_FALSE(viewer->resumed()) << "it has not seen the preamble";
  viewer.leave();
  terminal.stop();
  terminal.start(Preamble{.rows = "old rows", .cols = 10, .mark = "--\r\n"});
  EXPECT_TRUE(vt::text(terminal->screen()).starts_with("old rows\n--\nnew"));
}

TEST(TerminalTest, TheExitWaitsForTheOutputBeforeIt) {
  TestTerminal terminal;
  terminal.print_without_running("last");
  terminal->process_exited({.status = {.signal = 9}, .offset = 4});
  EXPECT_FALSE(terminal->exit());
  terminal.run();
  ASSERT_TRUE(terminal->exit());
  EXPECT_EQ(exit_code(*terminal->exit()), 137);
  EXPECT_EQ(terminal.happened, (std::vector<std::string>{"printed", "exited"}));
}

TEST(TerminalTest, TheFirstOutputIsToldAgainWhenItWasForgotten) {
  TestTerminal terminal;
  terminal.print("a");
  terminal.print("b");
  EXPECT_EQ(terminal.happened, std::vector<std::string>{"printed"});
  terminal->forget_printed();
  terminal.print("c");
  EXPECT_EQ(terminal.happened.size(), 2U);
}

TEST(TerminalTest, WhatIsTypedAndPastedArrives) {
  TestTerminal terminal;
  ASSERT_TRUE(terminal->typing().write("typed"));
  EXPECT_EQ(terminal.typed(), "typed");
  terminal.print("\x1b[?2004h");
  ASSERT_TRUE(
      terminal->typing().write(pasted("pasted", terminal->screen().state().modes.bracketed_paste)));
  EXPECT_EQ(terminal.typed(), "\x1b[200~pasted\x1b[201~");
}

// What it does not read is neither kept without bounds nor in the way of what people type.
TEST(TerminalTest, AProgramThatAsksWithoutReadingGetsNoMoreAnswers) {
  TestTerminal terminal;
  constexpr std::size_t kAsked = 20'000;
  for (std::size_t i = 0; i < kAsked; ++i) terminal.print_without_running("\x1b[5n");
  terminal.run();
  ASSERT_TRUE(terminal->typing().write("typed"));
  std::string got;
  ASSERT_TRUE(terminal.run_until([&] { return (got += terminal.typed()).contains("typed"); }));
  EXPECT_LE(got.size(), 4096U + 5);
  EXPECT_TRUE(got.starts_with("\x1b[0n"));
}

TEST(TerminalTest, KnowsTheProgramInTheForegroundAndWhereItIs) {
  TestTerminal terminal;
  const Program shell(terminal, "stty sane; set -m; cat; exec sleep 1000");
  terminal.info.pid = shell.pid();
  terminal.stop();
  terminal.start();
  ASSERT_TRUE(terminal.run_until([&] { return terminal->activity().foreground.name == "cat"; }));
  EXPECT_TRUE(terminal->activity().foreground.busy) << "the shell waits for it";
  EXPECT_EQ(terminal->activity().working_directory, "/usr");
  ASSERT_TRUE(terminal->typing().write("\x04"));  // The end of cat's input.
  ASSERT_TRUE(terminal.run_until([&] { return terminal->activity().foreground.name == "sleep"; }));
  EXPECT_FALSE(terminal->activity().foreground.busy) << "the shell has become it";
  terminal.print("\x1b]7;file:///said\x07");
  EXPECT_EQ(terminal->working_directory(), "/said");
  terminal.exit();
  EXPECT_EQ(terminal->activity().foreground.name, "") << "the pid may mean another process now";
}

TEST(TerminalTest, IsDescribedAsTheKeeperAndTheProgramSay) {
  TestTerminal terminal;
  terminal.info.label = "a note";
  terminal.stop();
  terminal.start();
  EXPECT_EQ(terminal->info().label, "a note");
  const auto before = terminal->last_activity();
  terminal.print("\x1b]2;the title\x07");
  EXPECT_EQ(terminal->screen().state().titles.title, "the title");
  EXPECT_GT(terminal->last_activity(), before);
  const auto printed = terminal->last_activity();
  ASSERT_TRUE(terminal->typing().write("x"));
  EXPECT_GT(terminal->last_activity(), printed);
}

TEST(TerminalTest, AnOrphanIsToldWhenItsTimeIsOver) {
  TestTerminal terminal;
  terminal->set_orphan_grace(std::chrono::milliseconds(1));
  EXPECT_TRUE(terminal.happened.empty()) << "nobody has left";
  terminal.io().restart();
  terminal.io().run_one_for(std::chrono::seconds(10));
  EXPECT_EQ(terminal.happened.back(), "grace over");
}

TEST(TerminalTest, AViewerInTimeStopsTheGracePeriod) {
  TestTerminal terminal;
  terminal->set_orphan_grace(std::chrono::hours(1));
  {
    TestViewer viewer(terminal);
    terminal.run();
    EXPECT_EQ(terminal.happened.back(), "attached");
  }
  EXPECT_EQ(terminal.happened.back(), "orphaned");
}

// The keeper overwrites what no daemon reads for long.
TEST(TerminalTest, LostOutputIsSkippedAndTheScreenGoesOn) {
  TestTerminal terminal;
  terminal.print("\x1b[1mbold ");
  terminal.stop();
  terminal.overwrite("a line that nobody reads\r\n");
  terminal.start();
  terminal.print("\r\nafter");
  EXPECT_TRUE(vt::text(terminal->screen()).contains("after"));
  TestViewer viewer(terminal);
  viewer.pull();
  EXPECT_EQ(viewer.difference(), "");
}

// Checkpoints are written while output flows, so that what the journal keeps is enough.
TEST(TerminalTest, AKilledOneComesBackAtEveryMoment) {
  for (int lines = 1; lines < 4000; lines += 331) {
    TestTerminal terminal;
    for (int i = 0; i < lines; ++i) {
      terminal.print_without_running("line " + std::to_string(i) + "\r\n");
      if (i % 7 == 0) terminal.run();
    }
    terminal.run();
    const std::string text = vt::text(terminal->screen());
    terminal.kill();
    terminal.start();
    EXPECT_EQ(vt::text(terminal->screen()), text) << lines << " lines";
  }
}

}  // namespace
}  // namespace terminal
