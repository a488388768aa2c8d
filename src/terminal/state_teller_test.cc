// What a terminal tells of its state, and what its successor knows.

#include "terminal/state_teller.h"

#include <gtest/gtest.h>

#include "base/test_clock.h"
#include "terminal/test_terminal.h"

namespace terminal {
namespace {

constexpr const char* kRunning =
    "\x1b]133;A;aid=k\x07$ \x1b]133;B;aid=k\x07\r\n\x1b]133;C;aid=k;cmdline_url=make\x07";

class Teller {
 public:
  void run() {
    io.restart();
    io.run();  // Until no timer is left: nothing is done while nothing happens.
  }

  boost::asio::io_context io;
  base::ManualClock clock;
  Commands commands;
  Foreground foreground{.name = "sh", .busy = false};
  int looks = 0;
  std::vector<std::string> happened;
  StateTeller teller{
      io.get_executor(),
      {"sh"},
      commands,
      {.foreground =
           [this] {
             ++looks;
             return foreground;
           },
       .save = [this] { happened.emplace_back("saved"); },
       .changed = [this] { happened.emplace_back(name_of(teller.state().kind)); },
       .noticed = [this](const Notice& notice) { happened.emplace_back("notice: " + notice.text); },
       .offset = [] { return journal::Offset{1}; }},
      clock};
};

TEST(StateTellerTest, TellsOnceForChangesInQuickSuccession) {
  Teller it;
  it.teller.recovered();
  it.foreground = {.name = "make", .busy = true};
  it.teller.printed();
  it.foreground = {.name = "sh", .busy = false};
  it.run();
  EXPECT_EQ(it.happened, (std::vector<std::string>{"saved", "prompt"}));
  EXPECT_EQ(it.looks, 2) << "The kernel is not asked for each piece of output.";
}

TEST(StateTellerTest, ATerminalIsFollowedWithoutMarks) {
  Teller it;
  it.teller.recovered();
  it.run();
  it.foreground = {.name = "make", .busy = true};
  it.teller.typed();
  it.run();
  it.teller.rang(1, true);
  it.teller.printed();
  it.run();
  it.teller.typed();
  it.run();
  EXPECT_EQ(it.happened,
            (std::vector<std::string>{"saved", "prompt", "saved", "running", "notice: ", "saved",
                                      "waiting", "saved", "running"}));
}

TEST(StateTellerTest, AReportIsSavedBeforeItIsAnswered) {
  Teller it;
  it.teller.report({.kind = Report::Kind::blocked, .text = "May I?"});
  EXPECT_EQ(it.happened, (std::vector<std::string>{"saved", "notice: May I?"}));
  it.run();
  EXPECT_EQ(it.happened, (std::vector<std::string>{"saved", "notice: May I?", "saved", "waiting"}));
}

TEST(StateTellerTest, ADaemonThatStopsSavesWhatNobodyWasTold) {
  Teller it;
  it.teller.typed();
  it.teller.exited(0);
  it.teller.stop();
  it.run();
  EXPECT_EQ(it.happened, std::vector<std::string>{"saved"});
}

State state_after_kill(TestTerminal& terminal) {
  terminal.kill();
  terminal.start();
  return terminal->states().state();
}

TEST(StateTellerTest, ASuccessorKnowsWhatOutputSaid) {
  TestTerminal terminal;
  terminal.print(kRunning);
  terminal.print("\x1b]9;May I?\x07");
  State state = terminal->states().state();
  EXPECT_EQ(state.kind, State::Kind::waiting);
  EXPECT_EQ(state.text, "May I?");
  State after = state_after_kill(terminal);
  EXPECT_EQ(after.kind, State::Kind::waiting) << "There was no checkpoint yet.";
  EXPECT_EQ(after.text, "May I?");
}

TEST(StateTellerTest, ASuccessorKnowsThatAPersonTyped) {
  TestTerminal terminal;
  terminal.print(std::string(kRunning) + "\a");
  ASSERT_EQ(terminal->states().state().kind, State::Kind::waiting);
  ASSERT_TRUE(terminal->typing().write("y").has_value());
  EXPECT_TRUE(terminal.run_until([&] {
    const auto kept = terminal.journal().open_consumer().checkpoints().latest();
    return kept && kept->offset == terminal.journal().producer.produced();
  }));
  EXPECT_EQ(state_after_kill(terminal).kind, State::Kind::running);
}

TEST(StateTellerTest, ASuccessorKnowsWhatWasReported) {
  TestTerminal terminal;
  terminal.print(kRunning);
  terminal->states().report({.kind = Report::Kind::blocked, .progress = 5, .text = "May I?"});
  const State state = terminal->states().state();
  EXPECT_EQ(state_after_kill(terminal), state);
}

TEST(StateTellerTest, AProgramCannotTypeForAPerson) {
  TestTerminal terminal;
  terminal.print(std::string(kRunning) + "\a");
  ASSERT_TRUE(terminal->typing().send("y").has_value());
  EXPECT_EQ(terminal->states().state().kind, State::Kind::waiting);
  ASSERT_TRUE(terminal->typing().write("\x1b[I").has_value());
  EXPECT_EQ(terminal->states().state().kind, State::Kind::waiting)
      << "Looking at it is not typing.";
}

TEST(StateTellerTest, TheExitIsTheLastState) {
  TestTerminal terminal;
  terminal.print(kRunning);
  terminal.exit(3);
  EXPECT_EQ(terminal->states().state().kind, State::Kind::exited);
  EXPECT_EQ(terminal->states().state().exit_code, 3);
  EXPECT_EQ(state_after_kill(terminal).exit_code, 3);
}

}  // namespace
}  // namespace terminal
