// What people write names a terminal, if only one can be meant.

#include "operation/test_operations.h"

namespace operation {
namespace {

class TargetTest : public OperationsTest {
 protected:
  TargetTest() {
    have_named("ab1", "build");
    have_named("ab2", "logs");
    EXPECT_TRUE(
        sessions_.names().create_session(user_, "other", session::SessionKind::interactive, ""));
    have_named("cd3", "build", "other");
  }
  std::string found(const Target& target, const Caller& by) {
    const auto entry = finder_.find(by, target);
    return entry ? (*entry)->id.str() : "refused: " + entry.error().what;
  }
  std::string found(const Target& target) { return found(target, caller()); }

  Finder finder_{sessions_};
};

TEST_F(TargetTest, IdsNamesAndStartsOfIds) {
  EXPECT_EQ(found({"ab1"}), "ab1");
  EXPECT_EQ(found({"logs"}), "ab2");
  EXPECT_EQ(found({"other:build"}), "cd3");
  EXPECT_EQ(found({"main:build"}), "ab1");
  EXPECT_EQ(found({"c"}), "cd3");
  EXPECT_EQ(found({"nothing"}), "refused: there is no terminal \"nothing\"");
  EXPECT_EQ(found({""}), "refused: there is no terminal \"\"");
}

TEST_F(TargetTest, SeveralMatchesAreListedAndNoneIsTaken) {
  EXPECT_EQ(found({"build"}),
            "refused: \"build\" matches several terminals: ab1 (main:build), cd3 (other:build)");
  EXPECT_EQ(found({"ab"}),
            "refused: \"ab\" matches several terminals: ab1 (main:build), ab2 (main:logs)");
}

TEST_F(TargetTest, AnIdComesBeforeANameThatLooksLikeIt) {
  have_named("logs", "ab1");
  EXPECT_EQ(found({"logs"}), "logs");
  EXPECT_EQ(found({"ab1"}), "ab1");
}

TEST_F(TargetTest, AnExactTargetIsAnIdAndNothingElse) {
  EXPECT_EQ(found(Target::exactly("ab1")), "ab1");
  EXPECT_EQ(found(Target::exactly("logs")), "refused: there is no terminal logs");
  EXPECT_EQ(finder_.id_of(caller(), Target::exactly("not yet there")).value(), "not yet there");
  EXPECT_EQ(finder_.id_of(caller(), {"logs"}).value(), "ab2");
}

TEST_F(TargetTest, WhatIsOutOfReachIsNotFoundAndIsNoSecondMatch) {
  const session::TerminalEntry& own = sessions_.terminals().at("ab1");
  const Caller bound = caller({.bounds = session::Bounds{.sessions = {own.session.id}}});
  EXPECT_EQ(found({"build"}, bound), "ab1");
  EXPECT_EQ(found({"cd3"}, bound), "refused: there is no terminal \"cd3\"");
  const Caller stranger{.reach = store_.ensure_user("bob").value().id};
  EXPECT_EQ(found({"logs"}, stranger), "refused: there is no terminal \"logs\"");
}

TEST_F(TargetTest, ALostTerminalIsFoundButNotAlive) {
  lose("ab2");
  EXPECT_EQ(found({"logs"}), "ab2");
  const auto alive = finder_.find_alive(caller(), {"logs"});
  ASSERT_FALSE(alive);
  EXPECT_EQ(alive.error().code, base::Code::unsupported);
  EXPECT_EQ(alive.error().advice, "Restore it first.");
}

TEST_F(TargetTest, MarksMakeATerminalOneOfWhichCommandsAreKnown) {
  EXPECT_EQ(finder_.find_marked(caller(), {"ab1"}).error().what, not_integrated().what);
  prints("ab1", mark("A") + "$ " + mark("B"));
  EXPECT_TRUE(finder_.find_marked(caller(), {"ab1"}));
}

}  // namespace
}  // namespace operation
