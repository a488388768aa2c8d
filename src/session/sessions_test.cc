// What races: a close while a terminal starts, an exit while it is closed, a close while it is
// restored. The keeper of these tests answers when it is told to, so every order can be had.

#include "session/sessions.h"

#include <algorithm>

#include "session/test_sessions.h"

namespace session {
namespace {

using keeper::Tag;

// --- starting ---

TEST_F(SessionsTest, NobodyFindsATerminalThatIsStarting) {
  const auto created = create("a");
  EXPECT_EQ(stage("a"), Stage::starting);
  EXPECT_FALSE(sessions_.terminals().find(user_, "a"));
  EXPECT_TRUE(sessions_.terminals().living_or_restorable(user_).empty());
  const auto closed = close("a");
  ASSERT_TRUE(closed->has_value());
  EXPECT_EQ((*closed)->error().code, base::Code::not_found);

  keeper_.start(asked(Tag::spawn));
  run_until([&] { return created->has_value(); });
  EXPECT_EQ(stage("a"), Stage::running);
  EXPECT_EQ(stored(), Told{"a"});
}

TEST_F(SessionsTest, AnIdIsTakenWhileItsTerminalStartsAndFreeIfItDoesNot) {
  const auto first = create("a");
  EXPECT_EQ(code_of(create("a")), base::Code::already_exists);

  keeper_.refuse(asked(Tag::spawn));
  run_until([&] { return first->has_value(); });
  EXPECT_FALSE(**first);
  EXPECT_EQ(stage("a"), std::nullopt);
  EXPECT_EQ(other_.take(), Told{"session main"});
  have("a");
}

TEST_F(SessionsTest, AnExitBeforeTheTerminalIsThereIsToldAfterIt) {
  const auto created = create("a");
  const auto request = asked(Tag::spawn);
  keeper_.start(request);
  keeper_.exit("a", 3);
  run_until([&] { return stage("a") == Stage::exited; });
  EXPECT_EQ(other_.take(), (Told{"session main", "created a", "exited a"}));
  EXPECT_EQ((*created)->value()->exit_code, 3);
}

TEST_F(SessionsTest, TerminalsThatAreBeingRestoredCountAgainstTheLimit) {
  have("a");
  lose("a");
  sessions_.set_user_terminals(1);
  const auto restored = restore("a");
  EXPECT_EQ(code_of(create("b")), base::Code::too_large);
  keeper_.start(asked(Tag::spawn));
  run_until([&] { return restored->has_value(); });
}

// --- closing ---

TEST_F(SessionsTest, WhoeverAskedGetsTheAnswerAndOthersTheEvent) {
  have("a");
  const auto created_by_asker = asker_.take();
  EXPECT_EQ(std::ranges::count(created_by_asker, "created a"), 0);
  const auto closed = close("a");
  EXPECT_FALSE(sessions_.terminals().find(user_, "a"));
  const auto again = close("a");
  EXPECT_EQ((*again)->error().code, base::Code::not_found);
  EXPECT_EQ(other_.take(), Told{});

  keeper_.done(asked(Tag::close));
  run_until([&] { return closed->has_value(); });
  EXPECT_EQ((*closed)->value().id.str(), "a");
  EXPECT_EQ(asker_.take(), Told{});
  EXPECT_EQ(other_.take(), Told{"closed a"});
  EXPECT_EQ(stored(), Told{});
}

TEST_F(SessionsTest, TheIdOfAClosingTerminalIsFreeOnceItIsGone) {
  have("a");
  const auto closed = close("a");
  const auto created = create("a");
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
  keeper_.done(asked(Tag::close));
  keeper_.forget("a");
  keeper_.start(asked(Tag::spawn));
  run_until([&] { return created->has_value(); });
  EXPECT_EQ(stage("a"), Stage::running);
  EXPECT_EQ(stored(), Told{"a"});
}

// Each order in which somebody asks to close a terminal, its program ends, and the keeper answers;
// and each answer.
class CloseAndExitTest : public SessionsTest {
 protected:
  enum class Step { close, exit, answer };
  // Whether the steps can come in this order: there is nothing to answer before the close.
  static bool is_possible(const std::vector<Step>& order) {
    return std::ranges::find(order, Step::close) < std::ranges::find(order, Step::answer);
  }
  Told play(const std::string& id, const std::vector<Step>& order, bool closes) {
    have(id);
    Answer<base::Result<Closed>> closed;
    for (const Step step : order) {
      if (step == Step::close) closed = close(id);
      if (step == Step::exit) keeper_.exit(id, 7);
      if (step == Step::answer && closes) keeper_.done(asked(Tag::close));
      if (step == Step::answer && !closes) keeper_.refuse(asked(Tag::close));
      settle();
    }
    run_until([&] { return closed->has_value(); });
    EXPECT_EQ((*closed)->has_value(), closes);
    if (!closes) run_until([&] { return stage(id) == Stage::exited; });
    return other_.take();
  }
};

TEST_F(CloseAndExitTest, AClosedTerminalIsToldOnceAndLastAndAnExitAtMostOnce) {
  int played = 0;
  for (const bool closes : {true, false}) {
    std::vector<Step> order{Step::close, Step::exit, Step::answer};
    do {
      if (!is_possible(order)) continue;
      const std::string id = "t" + std::to_string(++played);
      SCOPED_TRACE(id);
      const bool exits_first = order.front() == Step::exit;
      const bool exits_last = order.back() == Step::exit;
      const Told told = play(id, order, closes);
      if (!closes) {
        // It lives on, so its exit is told, whenever it came.
        EXPECT_EQ(told, Told{"exited " + id});
        EXPECT_EQ(sessions_.terminals().find(id)->exit_code, 7);
      } else {
        EXPECT_EQ(told,
                  exits_first ? (Told{"exited " + id, "closed " + id}) : Told{"closed " + id});
        EXPECT_EQ(other_.exit_code, exits_last ? std::nullopt : std::optional(7));
        EXPECT_EQ(stage(id), std::nullopt);
        EXPECT_EQ(std::ranges::count(stored(), id), 0);
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
  EXPECT_EQ(played, 6);
}

// --- lost and restored ---

TEST_F(SessionsTest, ALostTerminalIsRestorableAndRuns) {
  have("a");
  keeper_.forget("a");
  look_again();
  run_until([&] { return stage("a") == Stage::restorable; });
  EXPECT_EQ(other_.take(), Told{"restorable a"});
  EXPECT_EQ(stored(), Told{"a"});

  const auto restored = restore("a");
  EXPECT_EQ(stage("a"), Stage::restoring);
  keeper_.start(asked(Tag::spawn));
  run_until([&] { return restored->has_value(); });
  EXPECT_EQ(stage("a"), Stage::running);
  EXPECT_EQ(asker_.take(), (Told{"session main", "restorable a"}));
  EXPECT_EQ(other_.take(), Told{"created a"});
}

TEST_F(SessionsTest, NobodyClosesOrFindsATerminalThatIsBeingRestored) {
  have("a");
  lose("a");
  const auto restored = restore("a");
  const auto closed = close("a");
  EXPECT_EQ((*closed)->error().code, base::Code::not_found);
  EXPECT_TRUE(sessions_.terminals().living_or_restorable(user_).empty());
  // The second one waits, and then finds it alive.
  const auto second = restore("a");
  EXPECT_FALSE(second->has_value());

  keeper_.start(asked(Tag::spawn));
  run_until([&] { return restored->has_value() && second->has_value(); });
  EXPECT_TRUE(**restored);
  EXPECT_EQ((*second)->error().code, base::Code::already_exists);
  EXPECT_FALSE(keeper_.was_asked(Tag::spawn));
}

TEST_F(SessionsTest, WhatCannotBeRestoredIsRestorableAsBefore) {
  have("a");
  lose("a");
  const auto restored = restore("a");
  const auto second = restore("a");
  keeper_.refuse(asked(Tag::spawn));  // In its directory,
  keeper_.refuse(asked(Tag::spawn));  // and in the session's.
  run_until([&] { return restored->has_value(); });
  EXPECT_FALSE(**restored);
  // Now it is the second one's turn.
  keeper_.start(asked(Tag::spawn));
  run_until([&] { return second->has_value(); });
  EXPECT_TRUE(**second);
  EXPECT_EQ(stage("a"), Stage::running);
}

// The keeper's list has a child that is being restored right now. Once, it was taken over a second
// time, and the two terminals both answered its queries.
TEST_F(SessionsTest, ATerminalThatIsBeingRestoredIsNotTakenOver) {
  have("a");
  lose("a");
  const auto restored = restore("a");
  const auto request = asked(Tag::spawn);
  keeper_.make(request);
  look_again();
  EXPECT_EQ(stage("a"), Stage::restoring);
  keeper_.start(request);
  run_until([&] { return restored->has_value(); });
  settle();
  EXPECT_FALSE(keeper_.was_asked(Tag::attach));
  EXPECT_EQ(stage("a"), Stage::running);
}

// Each order in which somebody restores a terminal, the keeper answers, its program ends, and
// somebody closes it; and each answer.
class RestoreAndCloseTest : public SessionsTest {
 protected:
  enum class Step { restore, answer, exit, close };

  void play(Step step, const std::string& id, bool starts) {
    switch (step) {
      case Step::restore:
        restored_ = restore(id);
        break;
      case Step::answer:
        while (keeper_.was_asked(Tag::spawn)) {
          const auto request = keeper_.take(Tag::spawn);
          starts ? keeper_.start(request) : keeper_.refuse(request);
          settle();
        }
        break;
      case Step::exit:  // It may run and end before the daemon is told that it runs.
        if (starts && keeper_.was_asked(Tag::spawn)) keeper_.make(keeper_.peek(Tag::spawn));
        if (keeper_.holds(id)) keeper_.exit(id, 7);
        break;
      case Step::close:
        closed_ = close(id);
        if (keeper_.was_asked(Tag::close)) keeper_.done(keeper_.take(Tag::close));
        break;
    }
    settle();
  }

  Answer<base::Result<TerminalEntry*>> restored_;
  Answer<base::Result<Closed>> closed_;
};

TEST_F(RestoreAndCloseTest, NothingIsLeftHalfWayAndAllIsToldOnceAndInOrder) {
  int played = 0;
  for (const bool starts : {true, false}) {
    std::vector<Step> order{Step::restore, Step::answer, Step::exit, Step::close};
    do {
      const std::string id = "t" + std::to_string(++played);
      SCOPED_TRACE(id);
      have(id);
      lose(id);
      for (const Step step : order) play(step, id, starts);
      play(Step::answer, id, starts);  // If it came too early.
      run_until([&] { return restored_->has_value() && closed_->has_value(); });
      settle();
      const std::optional<Stage> left = stage(id);
      EXPECT_EQ(!left, (*closed_)->has_value()) << "a close that succeeds leaves nothing";
      if (left) {
        EXPECT_EQ(left == Stage::restorable, !starts);
        EXPECT_TRUE(sessions_.terminals().find_living_or_restorable(user_, id)) << "it is stuck";
      }
      EXPECT_EQ(std::ranges::count(stored(), id), left ? 1 : 0);
      const Told told = other_.take();
      Told in_order;
      for (const std::string event : {"created ", "exited ", "closed "})
        if (std::ranges::count(told, event + id) > 0) in_order.push_back(event + id);
      EXPECT_EQ(told, in_order);
      EXPECT_EQ(std::ranges::count(told, "closed " + id), left ? 0 : 1);
    } while (std::next_permutation(order.begin(), order.end()));
  }
  EXPECT_EQ(played, 48);
}

TEST_F(SessionsTest, ARestoredTerminalShowsWhatItShowed) {
  have("a");
  print("a", "hello");
  lose("a");
  const auto restored = restore("a");
  keeper_.start(asked(Tag::spawn));
  run_until([&] { return restored->has_value(); });
  const std::string text = shown(*(*restored)->value());
  EXPECT_LT(text.find("hello"), text.find("restored, saved"));
}

TEST_F(SessionsTest, NothingIsSavedWhileSavingIsOff) {
  have("a");
  sessions_.set_save_history(false);
  print("a", "hello");
  lose("a");
  const auto restored = restore("a");
  keeper_.start(asked(Tag::spawn));
  run_until([&] { return restored->has_value(); });
  const std::string text = shown(*(*restored)->value());
  EXPECT_TRUE(text.contains("restored"));
  EXPECT_FALSE(text.contains("hello"));
}

TEST_F(SessionsTest, ANewTerminalTakesThePlaceOfTheOneThatWasLeftBehind) {
  for (const std::string id : {"a", "b", "c"}) have(id);
  EXPECT_TRUE(sessions_.names().rename(user_, "b", "build", nullptr));
  for (const std::string id : {"a", "b", "c"}) keeper_.forget(id);
  look_again();
  run_until([&] { return stage("c") == Stage::restorable; });
  const auto left = [&](const std::string& id, std::optional<std::string> name) {
    return sessions_.launcher().left_behind(user_, "main", id, name).value_or("none");
  };
  EXPECT_EQ(left("c", "build"), "c");    // The same id.
  EXPECT_EQ(left("new", "build"), "b");  // Else the same name.
  EXPECT_EQ(left("new", "other"), "a");  // Else the first unnamed.
  EXPECT_EQ(sessions_.launcher().left_behind(user_, "other", "a", {}), std::nullopt);
}

TEST_F(SessionsTest, ARestorableTerminalIsDiscarded) {
  have("a");
  lose("a");
  const auto closed = close("a");
  ASSERT_TRUE(closed->has_value());
  EXPECT_TRUE(**closed);
  EXPECT_EQ(asker_.take(), Told{});
  EXPECT_EQ(other_.take(), Told{"closed a"});
  EXPECT_EQ(stored(), Told{});
}

// --- names ---

TEST_F(SessionsTest, ASessionThatIsRenamedWhileItIsClosedIsGone) {
  have("a");
  const auto closed = start(sessions_.close_session(user_, "main", &asker_));
  ASSERT_TRUE(sessions_.names().rename_session(user_, "main", "work", &other_));
  keeper_.done(asked(Tag::close));
  run_until([&] { return closed->has_value(); });
  EXPECT_TRUE(**closed);
  EXPECT_TRUE(sessions_.names().all_sessions().empty());
  EXPECT_EQ(asker_.take(), (Told{"session main", "session main is work", "closed a"}));
  EXPECT_EQ(other_.take(), (Told{"closed a", "session closed work"}));
}

}  // namespace
}  // namespace session
