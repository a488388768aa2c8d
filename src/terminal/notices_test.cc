#include "terminal/notices.h"

#include <gtest/gtest.h>

#include "base/test_clock.h"
#include "terminal/test_terminal.h"

namespace terminal {
namespace {

using std::chrono::seconds;

class NoticesTest : public ::testing::Test {
 protected:
  // A command that ran that long has ended.
  void end(std::chrono::milliseconds time, int code = 0) {
    const auto begun = clock_.wall();
    clock_.advance(time);
    notices_.changed(
        {.kind = State::Kind::running, .command = "make"}, begun,
        {.kind = code == 0 ? State::Kind::succeeded : State::Kind::failed, .exit_code = code}, 40);
  }

  base::ManualClock clock_;
  Notices notices_{clock_};
};

TEST_F(NoticesTest, OnlyTheEndOfALongCommandIsOne) {
  end(seconds(5) - std::chrono::milliseconds(1));
  EXPECT_TRUE(notices_.take().empty());
  end(seconds(61), 2);
  const Notice expected{.kind = Notice::Kind::command_ended,
                        .offset = 40,
                        .at = clock_.wall(),
                        .command = "make",
                        .exit_code = 2,
                        .duration = seconds(61)};
  EXPECT_EQ(notices_.take(), std::vector{expected});
  EXPECT_TRUE(notices_.take().empty());
}

TEST_F(NoticesTest, WhatGoesOnHasNotEnded) {
  const auto begun = clock_.wall();
  clock_.advance(seconds(60));
  notices_.changed({.kind = State::Kind::waiting}, begun, {.kind = State::Kind::running}, 1);
  notices_.changed({.kind = State::Kind::running}, std::nullopt, {.kind = State::Kind::prompt}, 1);
  notices_.changed({.kind = State::Kind::prompt}, begun, {.kind = State::Kind::prompt}, 1);
  EXPECT_TRUE(notices_.take().empty());
}

TEST_F(NoticesTest, ProgramsTellThem) {
  const State running{.kind = State::Kind::running, .command = "agent"};
  notices_.rang(running, 1);
  notices_.printed({.kind = vt::Notice::Kind::message, .text = "Hello"}, running, 2);
  notices_.printed({.kind = vt::Notice::Kind::progress, .percent = 5}, running, 3);
  notices_.printed({.kind = vt::Notice::Kind::paused}, running, 4);
  notices_.reported({.kind = Report::Kind::working, .text = "Reading"}, running, 5);
  notices_.reported({.kind = Report::Kind::blocked, .text = "May I?"}, running, 6);
  notices_.reported({.kind = Report::Kind::done}, running, 7);
  notices_.reported({.kind = Report::Kind::message, .text = "Bye"}, running, 8);
  std::vector<std::pair<Notice::Kind, std::string>> kinds;
  for (const Notice& each : notices_.take()) {
    kinds.emplace_back(each.kind, each.text);
    EXPECT_EQ(each.command, "agent");
  }
  const std::vector<std::pair<Notice::Kind, std::string>> expected{
      {Notice::Kind::bell, ""},    {Notice::Kind::message, "Hello"},
      {Notice::Kind::blocked, ""}, {Notice::Kind::blocked, "May I?"},
      {Notice::Kind::done, ""},    {Notice::Kind::message, "Bye"}};
  EXPECT_EQ(kinds, expected);
}

TEST_F(NoticesTest, ABellThatRingsAllTheTimeIsBounded) {
  for (int i = 0; i < 1000; ++i) notices_.rang({}, 1);
  EXPECT_EQ(notices_.take().size(), Notices::kMost);
  clock_.advance(Notices::kTime);
  notices_.rang({}, 1);
  EXPECT_EQ(notices_.take().size(), 1U);
}

TEST_F(NoticesTest, ASuccessorFindsWhatItsPredecessorMayNotHaveTold) {
  TestTerminal terminal;
  terminal.print("abc\x1b]9;Hello\x07");
  terminal.kill();
  terminal.start();
  const auto early = terminal->states().take_early();
  ASSERT_EQ(early.size(), 1U);
  EXPECT_EQ(early[0].text, "Hello");
  EXPECT_EQ(early[0].offset, 13U);
  EXPECT_TRUE(terminal->states().take_early().empty());
}

}  // namespace
}  // namespace terminal
