// How terminals end that nobody closes by hand, and closes that fail.

#include "session/closer.h"

#include "session/test_sessions.h"

namespace session {
namespace {

using keeper::Tag;

class CloserTest : public SessionsTest {};

TEST_F(CloserTest, WhatTheKeeperNoLongerKnowsIsClosed) {
  have("a");
  const auto closed = close("a");
  keeper_.refuse(asked(Tag::close), base::Code::not_found);
  run_until([&] { return closed->has_value(); });
  EXPECT_TRUE(**closed);
  EXPECT_EQ(stage("a"), std::nullopt);
  EXPECT_EQ(stored(), Told{});
}

TEST_F(CloserTest, WhoeverMayCloseIsNoted) {
  have("a");
  const auto closed = start(sessions_.closer().close(user_, "a", CloseReason::user_requested,
                                                     nullptr, Permit("with a token")));
  keeper_.done(asked(Tag::close));
  run_until([&] { return closed->has_value(); });
  EXPECT_EQ(noted(), "a closed with a token");
}

TEST_F(CloserTest, AnOrphanIsClosedWhenItsTimeIsOver) {
  have("a");
  sessions_.set_orphan_grace(std::chrono::milliseconds(1));
  const auto request = asked(Tag::close);
  EXPECT_FALSE(sessions_.terminals().find(user_, "a")) << "nobody finds it any more";
  keeper_.done(request);
  run_until([&] { return stage("a") == std::nullopt; });
  EXPECT_EQ(other_.take(), Told{"closed a"});
  EXPECT_EQ(noted(), "a closed orphan grace period expired");
}

TEST_F(CloserTest, AnOrphanThatCannotBeClosedIsThereAgain) {
  have("a");
  sessions_.set_orphan_grace(std::chrono::milliseconds(1));
  keeper_.refuse(asked(Tag::close));
  run_until([&] { return stage("a") == Stage::running; });
  EXPECT_TRUE(sessions_.terminals().find(user_, "a"));
  EXPECT_EQ(other_.take(), Told{});
  EXPECT_EQ(stored(), Told{"a"});
}

TEST_F(CloserTest, OnlyWhatIsRestorableIsDiscarded) {
  have("a");
  have("b");
  lose("b");
  sessions_.closer().discard_restorable("a");
  sessions_.closer().discard_restorable("b");
  sessions_.closer().discard_restorable("c");
  EXPECT_EQ(stage("a"), Stage::running);
  EXPECT_EQ(stage("b"), std::nullopt);
  EXPECT_EQ(other_.take(), Told{"closed b"});
}

// A user who keeps one of those that ended, and one that can be restored.
class FewKeptTest : public SessionsTest {
 protected:
  FewKeptTest()
      : SessionsTest([](Settings& settings) {
          settings.exited_kept = 1;
          settings.restorable_kept = 1;
        }) {}
};

TEST_F(FewKeptTest, TheOldestThatEndedIsClosed) {
  have("old");
  have("new");
  keeper_.exit("new", 0);  // Its age counts, not when it ended.
  run_until([&] { return stage("new") == Stage::exited; });
  EXPECT_FALSE(keeper_.was_asked(Tag::close));
  keeper_.exit("old", 0);
  const auto request = asked(Tag::close);
  EXPECT_EQ(request.text(keeper::Field::id), "old");
  keeper_.done(request);
  run_until([&] { return stage("old") == std::nullopt; });
  EXPECT_EQ(other_.take(), (Told{"exited new", "exited old", "closed old"}));
  EXPECT_EQ(stage("new"), Stage::exited);
}

TEST_F(FewKeptTest, OfThoseThatWereLostTheLastThatWasUsedIsKept) {
  for (const std::string id : {"a", "b"}) {
    have(id);
    print(id, "hello");
  }
  for (const std::string id : {"a", "b"}) keeper_.forget(id);
  look_again();
  run_until([&] { return stage("b") == Stage::restorable && stage("a") == std::nullopt; });
  EXPECT_EQ(other_.take(), (Told{"restorable a", "restorable b", "closed a"}));
  EXPECT_EQ(stored(), Told{"b"});
}

// --- sessions ---

TEST_F(CloserTest, ASessionWhoseTerminalCannotBeClosedStays) {
  have("a");
  const auto closed = start(sessions_.close_session(user_, "main", nullptr));
  keeper_.refuse(asked(Tag::close));
  run_until([&] { return closed->has_value(); });
  EXPECT_EQ((*closed)->error().what, "the test refuses");
  EXPECT_TRUE(sessions_.names().find_session(user_, "main"));
  EXPECT_EQ(stage("a"), Stage::running);
  const auto unknown = start(sessions_.close_session(user_, "other", nullptr));
  EXPECT_EQ((*unknown)->error().code, base::Code::not_found);
}

TEST_F(CloserTest, BeforeASessionIsClosedItsTerminalsAreStillThere) {
  have("a");
  bool was_called = false;
  const auto look = [&](SessionRow session) -> boost::asio::awaitable<void> {
    was_called = true;
    EXPECT_EQ(session.name, "main");
    EXPECT_EQ(stage("a"), Stage::running);
    co_return;
  };
  sessions_.set_hooks({.before_create = {}, .before_close = look});
  const auto closed = start(sessions_.close_session(user_, "main", nullptr));
  EXPECT_TRUE(was_called);
  // Somebody closes the terminal at the same moment: it is gone, and that is all that was wanted.
  keeper_.refuse(asked(Tag::close), base::Code::not_found);
  run_until([&] { return closed->has_value(); });
  EXPECT_TRUE(**closed);
  EXPECT_FALSE(sessions_.names().find_session(user_, "main"));
}

}  // namespace
}  // namespace session
