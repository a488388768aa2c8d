#include "session/terminal_entry.h"

#include <gtest/gtest.h>

#include <set>

namespace session {
namespace {

constexpr Stage kStages[] = {Stage::starting, Stage::running,    Stage::exited,
                             Stage::closing,  Stage::restorable, Stage::restoring};

// The table in docs/architecture.md.
TEST(StageTest, WhatMayFollow) {
  std::set<std::string> changes;
  for (const Stage from : kStages)
    for (const Stage to : kStages)
      if (may_follow(from, to))
        changes.insert(std::string(name_of(from)) + " > " + std::string(name_of(to)));
  EXPECT_EQ(changes,
            (std::set<std::string>{"starting > running", "running > exited", "running > closing",
                                   "exited > closing", "closing > running", "closing > exited",
                                   "closing > restorable", "restorable > restoring",
                                   "restoring > running", "restoring > restorable"}));
}

TEST(TerminalEntryTest, ItsUserSeesWhatIsAliveOrRestorable) {
  EXPECT_FALSE(is_listed(TerminalEntry(Stage::starting)));
  EXPECT_TRUE(is_listed(TerminalEntry(Stage::restorable)));
  TerminalEntry short_lived(Stage::restorable);
  short_lived.lifetime = Lifetime::connection;
  EXPECT_FALSE(is_listed(short_lived));
}

TEST(TerminalEntryTest, AKeyHasTheUsersIdInIt) {
  const UserId ann("ann");
  EXPECT_EQ(id_of_key(TerminalId("t1"), ann).str(), "t1");
  EXPECT_EQ(id_of_key(TerminalId(scoped_key(ann, "t1")), ann).str(), "t1");
  EXPECT_EQ(id_of_key(TerminalId(scoped_key(UserId("bob"), "t1")), ann).str(), "bob.t1");
}

}  // namespace
}  // namespace session
