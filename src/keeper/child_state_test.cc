// A child across an upgrade of the keeper.

#include <algorithm>
#include <functional>

#include "keeper/test_child.h"

namespace keeper {
namespace {

using std::chrono::milliseconds;
using Happened = std::vector<std::string>;

// A life with all that can be under way in it: the start, output that waits for room, an exit that
// waits for that output, processes that the leader left behind, and the close.
TEST(ChildStateTest, AnUpgradeAtAnyMomentChangesNothing) {
  constexpr int kSteps = 6;
  // The upgrades of a life, a bit for each moment.
  for (unsigned upgrades = 0; upgrades < 1U << kSteps; ++upgrades) {
    TestChild child("trap '' HUP; sleep 1000 & " + std::string(kPrintMuch) + "read line; exit 3");
    std::string output;
    const std::function<void()> steps[kSteps] = {
        [&] { ASSERT_TRUE(child.run_until_told("started")); },
        [&] {
          ASSERT_TRUE(
              child.run_until([&] { return child.unread().size() == journal::kSmallShape.slack; }));
        },
        [&] {
          ASSERT_EQ(::write(child->descriptors().at(3), "\n", 1), 1);
          ASSERT_TRUE(child.process_ends());
          child->check_exit();
        },
        [&] { output = child.read(kMuch + 2); },  // And the line end that was typed.
        [&] { ASSERT_TRUE(child.run_until_told("exited")); },
        [&] { child->close(kCloseGrace); },
    };
    for (unsigned i = 0; i < kSteps; ++i) {
      steps[i]();
      if (HasFatalFailure()) FAIL() << "step " << i << ", upgrades " << upgrades;
      if ((upgrades >> i & 1) == 0) continue;
      const auto before = child.described().encode();
      child.upgrade();
      ASSERT_EQ(child.described().encode(), before) << "after step " << i;
    }
    ASSERT_FALSE(child.has("gone"));
    child.loop.pass(kCloseGrace);
    ASSERT_TRUE(child.run_until_told("gone", milliseconds(5)));
    ASSERT_EQ(child.happened, (Happened{"started", "exited", "gone"})) << upgrades;
    ASSERT_EQ(std::ranges::count(output, ' '), kMuch);
    ASSERT_EQ(child->exit(), (Exit{.code = 3}));
    ASSERT_TRUE(child.is_reaped());
  }
}

TEST(ChildStateTest, OneThatCannotBeStartedSaysSoToTheNewProgram) {
  TestChild child(command({"/no/such/program"}));
  ASSERT_TRUE(child.process_ends());
  child.upgrade();
  ASSERT_TRUE(child.run_until_told("failed"));
  EXPECT_NE(child.outcome.error().what.find("/no/such/program"), std::string::npos);
}

TEST(ChildStateTest, AnUpgradeGivesNoMoreTimeToEnd) {
  TestChild child("trap '' HUP; echo ready; exec sleep 1000");
  ASSERT_TRUE(child.run_until_printed("ready"));
  child->close(kCloseGrace);
  child.loop.pass(milliseconds(1500));
  child.upgrade();
  child.loop.pass(milliseconds(499));
  child->check_exit();
  EXPECT_FALSE(child->exit());
  child.loop.pass(milliseconds(1));
  ASSERT_TRUE(child.process_ends());
  ASSERT_TRUE(child.run_until_told("gone"));
  EXPECT_EQ(child->exit(), (Exit{.signal = SIGKILL}));
}

TEST(ChildStateTest, WhoEndedDuringTheUpgradeIsNoticed) {
  TestChild child("trap '' HUP; sleep 1000 </dev/null >/dev/null 2>&1 & echo $!; read line");
  ASSERT_TRUE(child.run_until_printed("\n"));
  const auto member = static_cast<pid_t>(std::stoi(child.read()));
  child.upgrade([&](Message&) { ASSERT_EQ(::write(child->descriptors().at(3), "\n", 1), 1); });
  ASSERT_TRUE(child.process_ends());
  ASSERT_TRUE(child.run_until_told("exited"));
  EXPECT_FALSE(child.is_reaped());
  child.upgrade([&](Message&) { ::kill(member, SIGKILL); });
  EXPECT_TRUE(child.run_until([&] { return child.is_reaped(); }, TestChild::kSecond));
}

TEST(ChildStateTest, FreeOutputStaysFree) {
  TestChild child("read line; " + std::string(kPrintMuch));
  ASSERT_TRUE(child.run_until_told("started"));
  child->set_limit(journal::Limit::free);
  child.upgrade();
  ASSERT_EQ(::write(child->descriptors().at(3), "\n", 1), 1);
  EXPECT_TRUE(child.run_until_told("exited")) << "though nobody reads";
}

TEST(ChildStateTest, WhatItWasStartedWithIsKept) {
  SpawnSpec spec = script("read line", Kind::process);
  spec.label = "a note";
  spec.rows = 30;
  spec.cols = 90;
  spec.confinement.account = Account{.uid = 65534, .gid = 65534, .groups = {65534}};
  spec.confinement.limits.open_files = 100;
  TestChild child(spec);
  Message before(Tag::saved_child);
  child->save(before);
  child.upgrade();
  Message after(Tag::saved_child);
  child->save(after);
  EXPECT_EQ(after.encode(), before.encode());
  EXPECT_EQ(after.number(Field::open_files), 100U);
  EXPECT_EQ(child.described().number(Field::uid), 65534U);
}

TEST(ChildStateTest, WithoutItsJournalOrWithAnAccountThatMakesNoSenseItIsNotRestored) {
  TestChild child("read line");
  const auto saved = [&](int memory) {
    Message message(Tag::saved_child);
    message.add(Field::id, "c").add(Field::fd_memory, static_cast<std::uint64_t>(memory));
    return message;
  };
  TestChild other;
  EXPECT_FALSE(other.restore(saved(987654)));
  const int memory = child->descriptors()[0];
  const auto refused = other.restore(saved(::dup(memory)).add(Field::uid, "somebody"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::invalid_argument);
}

}  // namespace
}  // namespace keeper
