#include "terminal/state_tracker.h"

#include <gtest/gtest.h>

namespace terminal {
namespace {

// What the tracker is told, with a clock that moves a second for each thing that happens.
class StateTrackerTest : public ::testing::Test {
 protected:
  base::WallTime tick() { return now_ += std::chrono::seconds(1); }
  void take(const vt::ShellMark& mark) {
    commands_.take(++offset_, mark, "/d", tick());
    tracker_.marked(commands_, now_);
  }
  void mark(vt::ShellMark::Kind kind, std::string text = {},
            std::optional<std::uint8_t> status = {}) {
    take({.kind = kind, .status = status, .text = std::move(text), .key = "k"});
  }
  void prompt() {
    mark(vt::ShellMark::Kind::prompt);
    mark(vt::ShellMark::Kind::command);
  }
  void run(const std::string& text) {
    prompt();
    mark(vt::ShellMark::Kind::output, text);
  }
  void end(std::uint8_t status) { mark(vt::ShellMark::Kind::end, {}, status); }
  [[nodiscard]] State::Kind kind() const { return tracker_.state().kind; }

  base::WallTime now_{std::chrono::milliseconds(1'763'000'000'000)};
  journal::Offset offset_ = 0;
  Commands commands_;
  StateTracker tracker_{""};
};

TEST_F(StateTrackerTest, FollowsAShellThatMarksItsCommands) {
  EXPECT_EQ(tracker_.state(), State());
  prompt();
  EXPECT_EQ(tracker_.state(), (State{.kind = State::Kind::prompt, .since = now_}));
  mark(vt::ShellMark::Kind::output, "make");
  const State running{.kind = State::Kind::running, .command = "make", .since = now_};
  EXPECT_EQ(tracker_.state(), running);
  end(0);
  const State succeeded{
      .kind = State::Kind::succeeded, .command = "make", .since = now_, .exit_code = 0};
  EXPECT_EQ(tracker_.state(), succeeded);
  prompt();
  EXPECT_EQ(tracker_.state(), succeeded) << "Nobody has seen to it yet.";
  tracker_.typed(tick());
  EXPECT_EQ(tracker_.state(), (State{.kind = State::Kind::prompt, .since = now_}));
  mark(vt::ShellMark::Kind::output, "false");
  end(3);
  EXPECT_EQ(
      tracker_.state(),
      (State{.kind = State::Kind::failed, .command = "false", .since = now_, .exit_code = 3}));
}

TEST_F(StateTrackerTest, WhatRanBeforeTheShellsOwnMarksIsForgotten) {
  take({.kind = vt::ShellMark::Kind::output, .text = "somebody's"});
  EXPECT_EQ(kind(), State::Kind::running);
  prompt();
  EXPECT_EQ(tracker_.state().kind, State::Kind::prompt);
  EXPECT_EQ(tracker_.state().command, "");
}

TEST_F(StateTrackerTest, WhatRanInTheFormerTerminalSaysNothingAboutThisOne) {
  run("make");
  end(0);
  commands_ = Commands::of_former(std::move(commands_));
  tracker_ = StateTracker("");
  take({.kind = vt::ShellMark::Kind::output, .text = "somebody's"});
  prompt();
  EXPECT_EQ(tracker_.state().kind, State::Kind::prompt);
  EXPECT_EQ(tracker_.state().command, "");
}

TEST_F(StateTrackerTest, ABellMeansWaitingOnlyWhileSomethingRuns) {
  prompt();
  tracker_.rang(tick());  // As when Tab finds nothing to complete.
  EXPECT_EQ(kind(), State::Kind::prompt);
  mark(vt::ShellMark::Kind::output, "agent");
  tracker_.rang(tick());
  const State waiting{.kind = State::Kind::waiting, .command = "agent", .since = now_};
  EXPECT_EQ(tracker_.state(), waiting);
  tracker_.rang(tick());
  EXPECT_EQ(tracker_.state(), waiting) << "It has waited since the first one.";
  tracker_.typed(tick());
  EXPECT_EQ(kind(), State::Kind::running);
  tracker_.rang(tick());
  end(0);
  EXPECT_EQ(kind(), State::Kind::succeeded) << "What has ended waits for nobody.";
}

TEST_F(StateTrackerTest, AMessageOfAProgramSaysWhyItWaits) {
  run("agent");
  tracker_.rang(tick());
  const auto since = now_;
  tracker_.noticed({.kind = vt::Notice::Kind::message, .text = "May I?"}, tick());
  EXPECT_EQ(
      tracker_.state(),
      (State{.kind = State::Kind::waiting, .command = "agent", .since = since, .text = "May I?"}));
}

TEST_F(StateTrackerTest, ProgressIsOfWhatRuns) {
  tracker_.noticed({.kind = vt::Notice::Kind::progress, .percent = 1}, tick());
  EXPECT_EQ(tracker_.state().progress, std::nullopt);
  run("make");
  tracker_.noticed({.kind = vt::Notice::Kind::progress, .percent = 40}, tick());
  EXPECT_EQ(tracker_.state().progress, 40);
  tracker_.noticed({.kind = vt::Notice::Kind::paused}, tick());
  EXPECT_EQ(kind(), State::Kind::waiting);
  EXPECT_EQ(tracker_.state().progress, 40);
  tracker_.noticed({.kind = vt::Notice::Kind::progress, .percent = 41}, tick());
  EXPECT_EQ(kind(), State::Kind::running) << "It works on.";
  tracker_.noticed({.kind = vt::Notice::Kind::over}, tick());
  EXPECT_EQ(tracker_.state().progress, std::nullopt);
  tracker_.noticed({.kind = vt::Notice::Kind::progress, .percent = 42}, tick());
  end(0);
  EXPECT_EQ(tracker_.state().progress, std::nullopt);
}

TEST_F(StateTrackerTest, AProgramSaysItself) {
  run("agent");
  tracker_.reported({.kind = Report::Kind::working, .progress = 10, .text = "Reading"}, tick());
  EXPECT_EQ(tracker_.state(), (State{.kind = State::Kind::running,
                                     .command = "agent",
                                     .since = now_,
                                     .progress = 10,
                                     .text = "Reading"}));
  tracker_.typed(tick());
  EXPECT_EQ(tracker_.state().text, "Reading") << "It is still at work.";
  tracker_.reported({.kind = Report::Kind::blocked, .text = "May I?"}, tick());
  EXPECT_EQ(kind(), State::Kind::waiting);
  tracker_.typed(tick());
  EXPECT_EQ(kind(), State::Kind::running);
  EXPECT_EQ(tracker_.state().text, "");
  tracker_.reported({.kind = Report::Kind::done, .text = "All tests pass"}, tick());
  EXPECT_EQ(kind(), State::Kind::succeeded);
  EXPECT_EQ(tracker_.state().text, "All tests pass");
  tracker_.reported({.kind = Report::Kind::message, .text = "By the way"}, tick());
  EXPECT_EQ(tracker_.state().text, "All tests pass");
  end(1);
  EXPECT_EQ(kind(), State::Kind::failed);
}

TEST_F(StateTrackerTest, WithoutMarksTheKernelSaysWhatRuns) {
  tracker_.looked({.name = "", .busy = false}, tick());
  EXPECT_EQ(kind(), State::Kind::unknown);
  tracker_.looked({.name = "sh", .busy = false}, tick());
  EXPECT_EQ(tracker_.state(), (State{.kind = State::Kind::prompt, .since = now_}));
  tracker_.looked({.name = "sleep", .busy = true}, tick());
  const State running{.kind = State::Kind::running, .command = "sleep", .since = now_};
  EXPECT_EQ(tracker_.state(), running);
  tracker_.looked({.name = "sleep", .busy = true}, tick());
  EXPECT_EQ(tracker_.state(), running);
  tracker_.looked({.name = "sh", .busy = false}, tick());
  EXPECT_EQ(kind(), State::Kind::prompt);
  prompt();
  tracker_.looked({.name = "sleep", .busy = true}, tick());
  EXPECT_EQ(kind(), State::Kind::prompt) << "Its marks know better.";
}

TEST_F(StateTrackerTest, WhatATerminalWasCreatedForRuns) {
  StateTracker made("make");
  made.looked({.name = "make", .busy = false}, tick());
  EXPECT_EQ(made.state(), (State{.kind = State::Kind::running, .command = "make", .since = now_}));
  made.rang(tick());
  EXPECT_EQ(made.state().kind, State::Kind::waiting);
}

TEST_F(StateTrackerTest, AfterTheEndNothingChangesAnyMore) {
  run("exit 3");
  tracker_.exited(3, tick());
  const State exited{
      .kind = State::Kind::exited, .command = "exit 3", .since = now_, .exit_code = 3};
  EXPECT_EQ(tracker_.state(), exited);
  tracker_.exited(3, tick());
  tracker_.rang(tick());
  tracker_.typed(tick());
  tracker_.looked({.name = "sh", .busy = false}, tick());
  tracker_.reported({.kind = Report::Kind::blocked}, tick());
  end(0);
  EXPECT_EQ(tracker_.state(), exited);
}

TEST_F(StateTrackerTest, NobodyKnowsWhatLostOutputSaid) {
  run("make");
  commands_.output_lost();
  tracker_.output_lost();
  EXPECT_EQ(tracker_.state(), State());
  prompt();
  EXPECT_EQ(kind(), State::Kind::prompt);
}

// Each state that the others lead to, from a checkpoint.
TEST_F(StateTrackerTest, ACheckpointHasAllOfIt) {
  const auto expect_same = [&] {
    StateTracker next("");
    next.decode(commands_.encode() + tracker_.encode() +
                "\x1b"
                "cscreen");
    EXPECT_EQ(next.state(), tracker_.state());
    EXPECT_EQ(next.encode(), tracker_.encode());
  };
  expect_same();
  run("echo 'a;b|c%'\n\x1b\\");
  tracker_.noticed({.kind = vt::Notice::Kind::progress, .percent = 40}, tick());
  expect_same();
  tracker_.reported({.kind = Report::Kind::blocked, .text = "May I; or|not?\x1b\\"}, tick());
  expect_same();
  end(7);
  expect_same();
  tracker_.typed({});
  expect_same();
  tracker_.exited(137, tick());
  expect_same();
}

TEST_F(StateTrackerTest, ACheckpointOfAnOlderDaemonHasNone) {
  run("make");
  StateTracker next("");
  next.decode(commands_.encode() +
              "\x1b"
              "cscreen");
  EXPECT_EQ(next.state(), State());
  next.decode("");
  EXPECT_EQ(next.state(), State());
}

}  // namespace
}  // namespace terminal
