// Closing a child ends all its processes, and tells so once.

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>

#include "keeper/test_child.h"

namespace keeper {
namespace {

using std::chrono::milliseconds;
using Happened = std::vector<std::string>;

// Whether the process has ended. A zombie has; its parent may take its time.
bool has_ended(pid_t pid) {
  const auto stat = base::stat_of(pid);
  return !stat || stat->is_zombie();
}

TEST(ChildCloseTest, ATerminalHangsUpAndAProcessIsTerminated) {
  for (const Kind kind : {Kind::terminal, Kind::process}) {
    TestChild child(script("echo ready; exec sleep 1000", kind));
    ASSERT_TRUE(child.run_until_printed("ready"));
    child->close(kCloseGrace);
    EXPECT_EQ(child->state(), State::closing);
    ASSERT_TRUE(child.run_until_told("gone")) << "no time has passed: it was not killed";
    EXPECT_EQ(child->exit(), (Exit{.signal = kind == Kind::terminal ? SIGHUP : SIGTERM}));
    EXPECT_EQ(child.happened, (Happened{"started", "exited", "gone"}));
  }
}

TEST(ChildCloseTest, OneThatIgnoresItIsKilledWhenTheGraceIsOver) {
  TestChild child("trap '' HUP TERM; echo ready; exec sleep 1000");
  ASSERT_TRUE(child.run_until_printed("ready"));
  child->close(kCloseGrace);
  child->close(milliseconds(0));  // The first one counts.
  child.loop.pass(kCloseGrace - milliseconds(1));
  EXPECT_FALSE(has_ended(child.pid()));
  child.loop.pass(milliseconds(1));
  ASSERT_TRUE(child.process_ends());
  ASSERT_TRUE(child.run_until_told("gone"));
  EXPECT_EQ(child->exit(), (Exit{.signal = SIGKILL}));
  EXPECT_TRUE(child.is_reaped());
}

TEST(ChildCloseTest, AStoppedOneGoesOnToEnd) {
  TestChild child("kill -STOP $$");
  ASSERT_TRUE(child.run_until([&] { return base::stat_of(child.pid())->state == 'T'; }));
  child->close(kCloseGrace);
  ASSERT_TRUE(child.run_until_told("gone"));
  EXPECT_EQ(child->exit(), (Exit{.signal = SIGHUP}));
}

// A shell with job control runs each job in a process group of its own.
TEST(ChildCloseTest, TheJobInTheForegroundHangsUpToo) {
  TestChild child(
      command({"bash", "-c",
               "set -m; trap : HUP; "
               "(trap 'exit 5' HUP; echo ready; while :; do sleep 0.01; done); exit $?"}));
  ASSERT_TRUE(child.run_until_printed("ready"));
  child->close(kCloseGrace);
  ASSERT_TRUE(child.run_until_told("gone"));
  EXPECT_EQ(child->exit(), (Exit{.code = 5})) << "what the job made of the signal";
}

TEST(ChildCloseTest, AllProcessesOfTheSessionEnd) {
  TestChild child("trap '' HUP; sleep 1000 & echo $!; sleep 1001 & echo $!; echo ready; wait");
  ASSERT_TRUE(child.run_until_printed("ready"));
  std::istringstream printed(child.read());
  std::array<pid_t, 2> members{};
  printed >> members[0] >> members[1];
  child->close(milliseconds(0));
  ASSERT_TRUE(child.run_until_told("gone", milliseconds(5)));
  for (const pid_t member : members) EXPECT_TRUE(has_ended(member)) << member;
  EXPECT_TRUE(child.is_reaped());
}

TEST(ChildCloseTest, OneThatWasClosedBeforeItStartedIsGoneAllTheSame) {
  TestChild child("exec sleep 1000");
  child->close(milliseconds(0));
  EXPECT_EQ(child->state(), State::closing);
  ASSERT_TRUE(child.run_until_told("gone", milliseconds(5)));
  EXPECT_TRUE(child.is_reaped());
}

TEST(ChildCloseTest, OneThatHasEndedIsGoneAtOnce) {
  TestChild child("true");
  ASSERT_TRUE(child.run_until([&] { return child.is_reaped(); }, TestChild::kSecond));
  child->close(kCloseGrace);
  EXPECT_EQ(child.happened.back(), "gone");
}

// Somebody else may have removed it.
TEST(ChildCloseTest, ACgroupThatIsGoneHoldsNothingUp) {
  TestChild child("trap '' HUP; echo ready; exec sleep 1000");
  ASSERT_TRUE(child.run_until_printed("ready"));
  child.upgrade([](Message& saved) { saved.add(Field::cgroup, "/no/such/cgroup"); });
  child->close(milliseconds(0));
  ASSERT_TRUE(child.run_until_told("gone", milliseconds(5)));
  EXPECT_TRUE(child.is_reaped());
}

// The end of the process, the look at it, a reader that makes room, a close and the end of the
// grace: whatever the order, the child is gone once, nothing follows that, no process stays, and an
// exit is told before it or not at all.
TEST(ChildCloseTest, InEveryOrder) {
  constexpr int kEvents = 5;
  std::array<int, kEvents> order{};
  for (int i = 0; i < kEvents; ++i) order[static_cast<std::size_t>(i)] = i;
  int orders = 0;
  do {
    // It prints more than there is room for, and waits to be told to end.
    TestChild child("trap '' HUP; " + std::string(kPrintMuch) + "read line");
    ASSERT_TRUE(
        child.run_until([&] { return child.unread().size() == journal::kSmallShape.slack; }));
    const pid_t pid = child.pid();
    const base::Fd terminal(::dup(child->descriptors().at(3)));
    const std::function<void()> events[kEvents] = {
        [&] {
          ASSERT_EQ(::write(terminal.get(), "\n", 1), 1);
          ASSERT_TRUE(child.is_reaped() || child.process_ends());
        },
        [&] { child->check_exit(); },
        [&] {
          child.read();
          child.loop.run_once();
        },
        [&] { child->close(kCloseGrace); },
        [&] { child.loop.pass(kCloseGrace); },
    };
    for (const int event : order) events[event]();
    ASSERT_TRUE(child.run_until_told("gone", milliseconds(1)));
    child.loop.pass(TestChild::kSecond);
    ASSERT_EQ(std::ranges::count(child.happened, "gone"), 1);
    ASSERT_LE(std::ranges::count(child.happened, "exited"), 1);
    ASSERT_EQ(child.happened.back(), "gone");
    ASSERT_EQ(child.happened.front(), "started");
    ASSERT_TRUE(child.is_reaped()) << pid;
    ++orders;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(orders, 120);
}

class ChildCgroupTest : public testing::Test {
 protected:
  void SetUp() override {
    child_.host.cgroup = delegated_cgroup();
    if (!child_.host.cgroup) GTEST_SKIP() << "this process may not make cgroups";
    // Some may look like it and cannot be written to after all.
    const auto made = Cgroup::create(*child_.host.cgroup, {});
    if (!made) GTEST_SKIP() << made.error().message();
    made->remove();
  }
  TestChild child_;
};

TEST_F(ChildCgroupTest, WhoLeftTheSessionIsEndedTooAndTheCgroupIsRemoved) {
  ASSERT_TRUE(
      child_.start(script("setsid sh -c 'trap \"\" TERM; echo $$ ready; exec sleep 1000' & "
                          "wait")));
  ASSERT_TRUE(child_.run_until_printed("ready"));
  const auto left = static_cast<pid_t>(std::stoi(child_.read()));
  Message saved(Tag::saved_child);
  child_->save(saved);
  const std::filesystem::path group = saved.text(Field::cgroup);
  EXPECT_TRUE(std::filesystem::exists(group));
  child_->close(kCloseGrace);
  ASSERT_TRUE(child_.run_until_told("exited"));
  EXPECT_FALSE(has_ended(left)) << "it has the same time to end as the others";
  EXPECT_FALSE(child_.has("gone"));
  child_.loop.pass(kCloseGrace);
  ASSERT_TRUE(child_.run_until_told("gone", milliseconds(100)));
  EXPECT_TRUE(has_ended(left));
  EXPECT_FALSE(std::filesystem::exists(group));
}

TEST_F(ChildCgroupTest, WhatCouldNotBeStartedLeavesNone) {
  ASSERT_TRUE(child_.start(command({"/no/such/program"})));
  Message saved(Tag::saved_child);
  child_->save(saved);
  ASSERT_TRUE(child_.run_until_told("failed"));
  EXPECT_FALSE(std::filesystem::exists(saved.text(Field::cgroup)));
}

}  // namespace
}  // namespace keeper
