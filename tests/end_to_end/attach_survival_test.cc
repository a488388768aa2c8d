// `holdfast attach` while daemons come and go.

#include <signal.h>

#include <functional>

#include "end_to_end/attach_fixture.h"
#include "end_to_end/survival_fixture.h"
#include "programs/lines.h"

namespace e2e {
namespace {

// Of version 9.9.9, and otherwise the same.
const std::filesystem::path kNextProgram = program("next/holdfast");

class AttachSurvivalTest : public AttachTest {
 protected:
  // How many of the known lines the terminal has, if they are all there, once and in order.
  static std::size_t numbered(const std::vector<std::string>& lines) {
    std::size_t count = 0;
    for (const std::string& line : lines) {
      if (count == 0 && line != lines::text(0)) continue;  // What was there before.
      if (line != lines::text(count)) {
        ADD_FAILURE() << "line " << count << " is: " << line;
        return 0;
      }
      ++count;
    }
    return count;
  }

  // A writer of numbered lines, which something disturbs again and again.
  void expect_every_line(int rounds, const std::function<void(int)>& disturb) {
    writer_ = attach({"-c", "writer", "--", LINE_WRITER, "0", "200"});
    // In the scrollback: a line is on the screen for a moment only.
    std::size_t wanted = 20;
    for (int i = 0; i < rounds; ++i) {
      ASSERT_TRUE(eventually([&] { return writer_->lines().size() > wanted; })) << "round " << i;
      disturb(i);
      if (HasFatalFailure()) return;
      wanted = writer_->lines().size() + 10;
    }
    ASSERT_TRUE(eventually([&] { return writer_->lines().size() > wanted; }));
    ::kill(writer_->client(), SIGSTOP);
    // The last line may be half drawn.
    auto all = writer_->lines();
    all.pop_back();
    EXPECT_GT(numbered(all), static_cast<std::size_t>(10 * rounds + 10));
    ::kill(writer_->client(), SIGKILL);
  }

  std::unique_ptr<OuterTmux> writer_;
};

TEST_F(AttachSurvivalTest, NoLineIsMissingAndNoneAppearsTwiceHoweverOftenTheDaemonIsKilled) {
  start();
  expect_every_line(a_tenth_unless_soaking(100), [&](int) {
    kill_daemon();
    start();
  });
}

TEST_F(AttachSurvivalTest, NorHoweverOftenItIsUpgraded) {
  start();
  expect_every_line(std::max(a_tenth_unless_soaking(10), 2), [&](int round) {
    const auto& to = round % 2 == 0 ? kNextProgram : kDaemonProgram;
    const auto upgraded = Process({to, "upgrade"}, environment()).wait();
    EXPECT_EQ(upgraded.status, 0) << upgraded.output;
  });
}

// The menu is open while daemons come and go.
TEST_F(AttachSurvivalTest, NorUnderAMenu) {
  start();
  expect_every_line(a_tenth_unless_soaking(30), [&](int) {
    writer_->press("C-\\");
    ASSERT_TRUE(writer_->shows("d detach"));
    kill_daemon();
    start();
    ASSERT_TRUE(seated());
    writer_->press("Escape");
    ASSERT_TRUE(eventually([&] { return !writer_->screen().contains("d detach"); }));
  });
}

TEST_F(AttachSurvivalTest, TypingGoesOnAfterATakeover) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->type("one ");
  ASSERT_TRUE(outer->shows("one"));
  take_over();
  ASSERT_TRUE(seated());
  outer->type("two");
  EXPECT_TRUE(outer->shows("one two"));
}

// What was typed while there was no daemon for a moment is not lost.
TEST_F(AttachSurvivalTest, KeysWaitForAShortWhile) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  outer->type("one ");
  ASSERT_TRUE(outer->shows("one"));
  stop_daemon();
  outer->type("two");
  start();
  EXPECT_TRUE(outer->shows("one two"));
}

TEST_F(AttachSurvivalTest, ALongAbsenceIsSaidAndLeavesNoTrace) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/sh", "-c", kColours});
  ASSERT_TRUE(outer->shows("ready"));
  outer->type("typed");
  ASSERT_TRUE(outer->shows("typed"));
  const std::string before = outer->screen();
  const auto all = outer->lines();
  kill_daemon();
  ASSERT_TRUE(outer->shows("Not connected"));
  outer->type("to nobody");
  start();
  ASSERT_TRUE(eventually([&] { return outer->screen() == before; })) << outer->screen();
  EXPECT_TRUE(ends_with(all, outer->lines()));
  outer->press("Enter");
  EXPECT_TRUE(outer->shows("typed\ntyped\n"));
  EXPECT_FALSE(outer->screen().contains("nobody"));
}

TEST_F(AttachSurvivalTest, StartsADaemonIfNobodyElseDoes) {
  start();
  const auto outer = in_terminal({"/usr/bin/env", "HOLDFAST_LISTEN=127.0.0.1:0", kDaemonProgram,
                                  "attach", "-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  kill_daemon();
  // The notice may be there for a moment only.
  ASSERT_TRUE(eventually(
      [&] { return run({"--no-start", "ls", "--json"}).output.contains(R"("viewers":1)"); }));
  outer->type("goes on");
  EXPECT_TRUE(outer->shows("goes on"));
  EXPECT_EQ(run({"stop", "--all", "--yes"}).status, 0);
  EXPECT_TRUE(outer->ended_with(1));
}

TEST_F(AttachSurvivalTest, DetachesWhileThereIsNoDaemon) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  kill_daemon();
  detach(*outer);
  EXPECT_TRUE(outer->ended_with(0));
  EXPECT_EQ(outer->settings_after(), outer->settings_before());
}

// Nothing is left to connect to, whatever the program had on.
TEST_F(AttachSurvivalTest, TheOuterTerminalIsAsBeforeAfterDaemonAndKeeperWereKilled) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/sh", "-c", kModes});
  ASSERT_TRUE(outer->shows("modes"));
  ASSERT_TRUE(eventually([&] { return outer->format(kModeFlags) == "1 1 0 1 1 1"; }));
  const pid_t keeper = keeper_pid();
  ::kill(daemon_pid(), SIGSTOP);  // So that it does not start another keeper.
  ::kill(keeper, SIGKILL);
  kill_daemon();
  ASSERT_TRUE(outer->ended_with(1)) << outer->screen();
  EXPECT_EQ(outer->format(kModeFlags), "0 0 1 0 0 0");
  EXPECT_EQ(outer->settings_after(), outer->settings_before());
}

TEST_F(AttachSurvivalTest, EndsWhenEverythingIsStopped) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  const auto stopped = run({"stop", "--all", "--yes"});
  ASSERT_EQ(stopped.status, 0) << stopped.output;
  EXPECT_TRUE(outer->ended_with(1)) << outer->screen();
  EXPECT_TRUE(outer->shows("[main:work has ended: Holdfast was stopped]"));
}

TEST_F(AttachSurvivalTest, AnExitWhileThereWasNoDaemonIsTold) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/sh", "-c", "echo $$; exec cat"});
  ASSERT_TRUE(seated());
  ASSERT_TRUE(eventually([&] { return !outer->screen().starts_with('\n'); }));
  const pid_t program = std::stoi(outer->screen());
  kill_daemon();
  ::kill(program, SIGTERM);
  start();
  EXPECT_TRUE(outer->ended_with(128 + SIGTERM));
}

TEST_F(AttachSurvivalTest, ALostKeeperIsSaidAndTheTerminalCanBeStartedAgain) {
  start();
  const auto outer = attach({"-c", "work", "--", "/bin/cat"});
  ASSERT_TRUE(seated());
  ::kill(keeper_pid(), SIGKILL);
  EXPECT_TRUE(outer->ended_with(1));
  EXPECT_EQ(outer->settings_after(), outer->settings_before());
  EXPECT_TRUE(outer->shows("was lost"));
  const auto again = attach({"work"});
  EXPECT_TRUE(again->shows("restored"));
  again->type("still a cat");
  EXPECT_TRUE(again->shows("still a cat"));
}

}  // namespace
}  // namespace e2e
