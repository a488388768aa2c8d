// What the keeper is asked to start, and who may have it started.

#include "session/launcher.h"

#include <algorithm>

#include "session/label.h"
#include "session/test_sessions.h"

namespace session {
namespace {

using keeper::Field;
using keeper::Tag;

class LauncherTest : public SessionsTest {
 protected:
  TerminalEntry* wait_for(const Answer<base::Result<TerminalEntry*>>& created) {
    run_until([&] { return created->has_value(); });
    EXPECT_TRUE(**created);
    return (*created)->value();
  }
};

TEST_F(LauncherTest, TheProgramIsToldWhereItRuns) {
  ASSERT_TRUE(sessions_.names().create_session(user_, "work", SessionKind::interactive, "/srv"));
  TerminalSpec spec = spec_of("a");
  spec.session = "work";
  spec.env = {{"COLOUR", "blue"}};
  const auto created = create(spec);
  const auto request = asked(Tag::spawn);
  EXPECT_EQ(request.texts(Field::argv), Told{"/bin/sh"});
  EXPECT_EQ(request.text(Field::cwd), "/srv");
  EXPECT_EQ(request.texts(Field::env),
            (Told{"HOLDFAST_TERMINAL=a", "HOLDFAST_SESSION=work", "COLOUR=blue"}));
  const auto label = parse_label(request.text(Field::label));
  ASSERT_TRUE(label);
  EXPECT_EQ(label->user, user_);
  EXPECT_EQ(label->user_name, "ann");
  EXPECT_EQ(label->session_name, "work");
  keeper_.start(request);
  EXPECT_EQ(wait_for(created)->session.name, "work");
}

TEST_F(LauncherTest, WithoutAnIdItGetsOneOfItsOwn) {
  TerminalSpec spec = spec_of("a");
  spec.id.reset();
  const auto created = create(spec);
  keeper_.start(asked(Tag::spawn));
  EXPECT_FALSE(wait_for(created)->id.str().empty());
}

TEST_F(LauncherTest, TwoUsersMayUseTheSameId) {
  const UserId bob = store_.ensure_user("bob").value().id;
  have("a");
  const auto created = start(sessions_.launcher().create(bob, spec_of("a")));
  const auto request = asked(Tag::spawn);
  EXPECT_EQ(request.text(Field::id), scoped_key(bob, "a"));
  keeper_.start(request);
  EXPECT_EQ(wait_for(created)->id.str(), "a");
  EXPECT_NE(sessions_.terminals().find(bob, "a").value(),
            sessions_.terminals().find(user_, "a").value());
  EXPECT_EQ(other_.take(), Told{}) << "another user's watcher is told nothing";
}

TEST_F(LauncherTest, AnIdThatHasNoRoomForItsUserIsTaken) {
  const UserId bob = store_.ensure_user("bob").value().id;
  std::string longest = "a";
  while (base::is_valid_id(longest + "a")) longest += "a";
  have(longest);
  const auto created = start(sessions_.launcher().create(bob, spec_of(longest)));
  EXPECT_EQ(code_of(created), base::Code::already_exists);
}

TEST_F(LauncherTest, ASessionThatDoesNotExistIsNotMade) {
  TerminalSpec spec = spec_of("a");
  spec.session = "other";
  EXPECT_EQ(code_of(create(spec)), base::Code::not_found);
}

TEST_F(LauncherTest, WhatLivesAsLongAsItsConnectionIsToldToNobody) {
  TerminalSpec spec = spec_of("a");
  spec.lifetime = Lifetime::connection;
  const auto created = create(spec);
  keeper_.start(asked(Tag::spawn));
  wait_for(created);
  keeper_.exit("a", 0);
  run_until([&] { return stage("a") == Stage::exited; });
  EXPECT_EQ(other_.take(), Told{"session main"});
  EXPECT_TRUE(sessions_.terminals().living(user_).empty());
  EXPECT_EQ(stored(), Told{});
}

TEST_F(LauncherTest, TheLimitIsCountedAndNamed) {
  have("a");
  sessions_.set_user_terminals(1);
  const auto created = create("b");
  EXPECT_EQ(code_of(created), base::Code::too_large);
  EXPECT_EQ(sessions_.launcher().refused(), 1u);
  keeper_.exit("a", 0);  // One that ended does not count.
  run_until([&] { return stage("a") == Stage::exited; });
  have("b");
}

// --- an id that was used before ---

TEST_F(LauncherTest, TheIdOfOneThatEndedIsUsedAgainOnceItIsClosed) {
  have("a");
  keeper_.exit("a", 0);
  run_until([&] { return stage("a") == Stage::exited; });
  auto created = create("a");
  keeper_.refuse(asked(Tag::close));
  run_until([&] { return created->has_value(); });
  EXPECT_EQ(code_of(created), base::Code::io);
  EXPECT_EQ(stage("a"), Stage::exited);

  created = create("a");
  keeper_.done(asked(Tag::close));
  keeper_.forget("a");
  keeper_.start(asked(Tag::spawn));
  EXPECT_EQ(wait_for(created)->exit_code, std::nullopt);
}

TEST_F(LauncherTest, ANewOneReplacesARestorableOneOnlyIfItStarts) {
  have("a");
  print("a", "hello");
  lose("a");
  auto created = create("a");
  EXPECT_EQ(stage("a"), Stage::starting);
  keeper_.refuse(asked(Tag::spawn));
  run_until([&] { return created->has_value(); });
  EXPECT_EQ(stage("a"), Stage::restorable) << "it can still be restored";
  created = create("a");
  keeper_.start(asked(Tag::spawn));
  EXPECT_FALSE(shown(*wait_for(created)).contains("hello"));
}

TEST_F(LauncherTest, WhatTakesThePlaceOfAnotherShowsItsHistory) {
  for (const std::string id : {"a", "b"}) have(id);
  print("a", "hello");
  lose("a");
  TerminalSpec spec = spec_of("new");
  spec.replaces = "a";
  const auto created = create(spec);
  keeper_.start(asked(Tag::spawn));
  const TerminalEntry* const made = wait_for(created);
  EXPECT_TRUE(shown(*made).contains("hello"));
  EXPECT_EQ(made->position, 0);
  EXPECT_EQ(stage("a"), std::nullopt);
  EXPECT_EQ(other_.take(), (Told{"closed a", "created new"}));
  EXPECT_EQ(stored(), (Told{"new", "b"}));
}

// --- who may ---

TEST_F(LauncherTest, AHookMayRefuseOrChangeIt) {
  bool allows = false;
  const auto hook = [&](SessionRow, TerminalSpec& spec) -> boost::asio::awaitable<base::Status> {
    spec.command = {"vi"};
    if (!allows) co_return base::fail(base::Code::cancelled, "not now");
    co_return base::Status{};
  };
  sessions_.set_hooks({.before_create = hook, .before_close = {}});
  EXPECT_EQ(code_of(create("a")), base::Code::cancelled);
  EXPECT_EQ(stage("a"), std::nullopt);
  allows = true;
  const auto created = create("a");
  const auto request = asked(Tag::spawn);
  EXPECT_EQ(request.texts(Field::argv), Told{"vi"});
  keeper_.start(request);
  wait_for(created);
}

// What happens while a hook takes its time.
class SlowHookTest : public LauncherTest {
 protected:
  SlowHookTest() {
    const auto hook = [this](SessionRow, TerminalSpec&) -> boost::asio::awaitable<base::Status> {
      is_asked_ = true;
      co_await goes_on_.wait();
      co_return base::Status{};
    };
    sessions_.set_hooks({.before_create = hook, .before_close = {}});
  }
  void go_on() {
    goes_on_.notify();
    settle();
  }

  bool is_asked_ = false;
  base::Event goes_on_{io_.get_executor()};
};

TEST_F(SlowHookTest, WhoLosesTheRightMeanwhileGetsNothing) {
  TerminalSpec spec = spec_of("a");
  const auto created = create(spec);
  ASSERT_TRUE(is_asked_);
  spec.permit.withdraw();
  go_on();
  EXPECT_EQ(code_of(created), base::Code::permission_denied);
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
}

TEST_F(SlowHookTest, WhoeverComesSecondFindsTheIdTaken) {
  const auto first = create("a");
  const auto second = create("a");
  go_on();
  keeper_.start(asked(Tag::spawn));
  run_until([&] { return first->has_value() && second->has_value(); });
  EXPECT_TRUE(**first);
  EXPECT_EQ(code_of(second), base::Code::already_exists);
}

TEST_F(LauncherTest, WhoHasLostTheRightRestoresNothing) {
  have("a");
  lose("a");
  Permit permit;
  permit.withdraw();
  const auto restored = start(sessions_.launcher().restore(user_, "a", {}, {}, nullptr, permit));
  EXPECT_EQ(code_of(restored), base::Code::permission_denied);
  EXPECT_EQ(stage("a"), Stage::restorable);
  EXPECT_EQ(code_of(restore("b")), base::Code::not_found);
  sessions_.set_user_terminals(0);
  EXPECT_EQ(code_of(restore("a")), base::Code::too_large);
}

// --- restored elsewhere ---

TEST_F(LauncherTest, WithoutItsDirectoryItStartsInTheSessionsAndSaysWhy) {
  have("a");
  lose("a");
  const auto restored = restore("a");
  const auto first = asked(Tag::spawn);
  keeper_.refuse(first);
  const auto second = asked(Tag::spawn);
  EXPECT_NE(first.text(Field::cwd), second.text(Field::cwd));
  EXPECT_EQ(second.text(Field::cwd), "/");
  keeper_.start(second);
  EXPECT_TRUE(shown(*wait_for(restored)).contains("the test refuses; started in / instead"));
}

TEST_F(LauncherTest, IfTheConnectionIsLostItIsNotStartedTwice) {
  have("a");
  lose("a");
  const auto restored = restore("a");
  (void)asked(Tag::spawn);
  lose_connection();
  run_until([&] { return restored->has_value(); });
  EXPECT_EQ(code_of(restored), base::Code::unavailable);
  EXPECT_EQ(stage("a"), Stage::restorable);
  settle();
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
}

TEST_F(LauncherTest, ItIsRestoredInTheSizeThatIsAskedFor) {
  have("a");
  lose("a");
  const auto restored = start(sessions_.launcher().restore(user_, "a", 10, 40, nullptr, {}));
  const auto request = asked(Tag::spawn);
  EXPECT_EQ(request.number(Field::rows), 10u);
  EXPECT_EQ(request.number(Field::cols), 40u);
  keeper_.start(request);
  wait_for(restored);
}

}  // namespace
}  // namespace session
