// What a daemon finds that follows another one, and after it has lost its keeper.

#include "session/recovery.h"

#include "session/label.h"
#include "session/test_successor.h"

namespace session {
namespace {

using keeper::Tag;

class RecoveryTest : public SuccessorTest {};

// --- when the daemon starts ---

TEST_F(RecoveryTest, TerminalsKeepTheirNamesAndPlaces) {
  for (const std::string id : {"a", "b", "c"}) have(id);
  ASSERT_TRUE(sessions_.names().rename(user_, "b", "build", nullptr));
  const auto moved = start(sessions_.names().reorder(user_, {"c", "a"}, nullptr));
  ASSERT_TRUE(moved->has_value());
  end_first();
  EXPECT_EQ(succeed(), "");
  EXPECT_EQ(listed(user_), (Told{"c running", "a running", "b running"}));
  EXPECT_EQ(next().terminals().at("b").name, "build");
  EXPECT_EQ(next().terminals().at("b").session.name, "main");
  EXPECT_EQ(other_.take(), (Told{"renamed b", "reordered c a b"}))
      << "a successor has nothing to tell";
}

TEST_F(RecoveryTest, AnExitWhileNoDaemonWasThereIsKnown) {
  have("a");
  have("b");
  other_.take();
  end_first();
  keeper_.child("a").exit = 3;
  EXPECT_EQ(succeed(), "");
  run_until([&] { return next().terminals().at("a").stage() == Stage::exited; });
  EXPECT_EQ(next().terminals().at("a").exit_code, 3);
  EXPECT_EQ(listed(user_), (Told{"a exited", "b running"}));
}

TEST_F(RecoveryTest, AnExitWhileItIsBeingHandedOverIsNotLost) {
  have("a");
  end_first();
  const auto recovered = begin_next();
  list();
  const auto request = asked(Tag::attach);
  keeper_.exit("a", 4);
  settle();
  EXPECT_EQ(next().terminals().at("a").stage(), Stage::starting);
  keeper_.child("a").exit.reset();  // It was described before it ended.
  keeper_.hand_over(request);
  run_until([&] { return recovered->has_value(); });
  EXPECT_EQ(next().terminals().at("a").stage(), Stage::exited);
  EXPECT_EQ(next().terminals().at("a").exit_code, 4);
}

TEST_F(RecoveryTest, WhatTheLastDaemonWasClosingIsClosed) {
  have("a");
  end_first();
  keeper_.child("a").state = keeper::State::closing;
  EXPECT_EQ(succeed(), "");
  EXPECT_EQ(listed(user_), Told{});
  EXPECT_EQ(asked(Tag::close).text(keeper::Field::id), "a");
}

TEST_F(RecoveryTest, WhatLivesAsLongAsItsConnectionIsClosed) {
  TerminalSpec spec = spec_of("a");
  spec.lifetime = Lifetime::connection;
  have(spec);
  EXPECT_EQ(stored(), Told{}) << "nobody will look for it";
  end_first();
  EXPECT_EQ(succeed(), "");
  EXPECT_EQ(listed(user_), Told{});
  keeper_.done(asked(Tag::close));
  run_until([&] { return next().terminals().find("a") == nullptr; });
}

TEST_F(RecoveryTest, WithoutTheStoreTheLabelSaysWhoseItIs) {
  keeper_.hold("t", to_text({.user = UserId("lost"),
                             .user_name = "bob",
                             .session = SessionId("lost"),
                             .session_name = "work"}));
  end_first();
  EXPECT_EQ(succeed(), "");
  const UserId bob = store_.user("bob").value().id;
  EXPECT_EQ(listed(bob), Told{"t running"});
  EXPECT_EQ(listed(user_), Told{});
  const SessionRow work = store_.sessions(bob).value().at(0);
  EXPECT_EQ(work.name, "work");
  EXPECT_EQ(next().terminals().at("t").session.id, work.id);
}

TEST_F(RecoveryTest, WithoutALabelItGoesToTheOwnerOfTheUnknown) {
  keeper_.hold("t", "no label");
  keeper_.hold("p", "").kind = keeper::Kind::process;
  end_first();
  EXPECT_EQ(succeed(), "");
  EXPECT_EQ(listed(user_), Told{"t running"}) << "and a process is no terminal";
}

TEST_F(RecoveryTest, WhatTheKeeperHasNoMoreIsRestorableAndTheOldestAreDropped) {
  for (const std::string id : {"a", "b", "c"}) have(id);
  end_first();
  for (const std::string id : {"a", "b", "c"}) keeper_.forget(id);
  const auto rows = store_.terminals();
  for (TerminalRow row : rows.value()) {
    row.last_activity = base::WallTime(std::chrono::hours(row.id.str().at(0)));
    ASSERT_TRUE(store_.save_terminal(row));
  }
  EXPECT_EQ(succeed([](Settings& settings) { settings.restorable_kept = 2; }), "");
  EXPECT_EQ(listed(user_), (Told{"b restorable", "c restorable"}));
  EXPECT_EQ(stored(), (Told{"b", "c"}));
}

TEST_F(RecoveryTest, WhatCannotBeHandedOverStopsNoOther) {
  have("a");
  have("b");
  end_first();
  const auto recovered = begin_next();
  list();
  keeper_.refuse(asked(Tag::attach));
  run_until([&] {
    hand_over_all();
    return recovered->has_value();
  });
  EXPECT_TRUE(**recovered);
  EXPECT_EQ(listed(user_), Told{"b running"});
  EXPECT_EQ(stored(), (Told{"a", "b"})) << "its row is not forgotten";
}

// The daemon died between the keeper's answer and the first checkpoint of a restored terminal.
TEST_F(RecoveryTest, ATerminalThatWasBeingRestoredShowsItsHistory) {
  have("a");
  print("a", "hello");
  lose("a");
  const auto restored = restore("a");
  keeper_.make(asked(Tag::spawn));
  end_first();
  EXPECT_EQ(succeed(), "");
  const std::string text = shown(next().terminals().at("a"));
  EXPECT_LT(text.find("hello"), text.find("restored, saved"));
}

TEST_F(RecoveryTest, WithAccountsNobodyKeepsAShellOfTheDaemonsAccount) {
  have("a");
  end_first();
  const auto accounts = [](Settings& settings) { settings.least_account = 1000; };
  EXPECT_EQ(succeed(accounts),
            "terminal a was started before user_accounts was on and runs as root");
}

TEST_F(RecoveryTest, WithAccountsWhatHasEndedHarmsNobody) {
  have("a");
  end_first();
  keeper_.child("a").exit = 0;
  EXPECT_EQ(succeed([](Settings& settings) { settings.least_account = 1000; }), "");
}

TEST_F(RecoveryTest, WithoutAKeeperItFails) {
  end_first();
  const auto recovered = begin_next();
  (void)asked(Tag::list);
  keeper_.hang_up();
  run_until([&] { return recovered->has_value(); });
  EXPECT_EQ((*recovered)->error().code, base::Code::unavailable);
}

// --- after a lost connection ---

TEST_F(RecoveryTest, WhatWasBeingCreatedWhenTheConnectionBrokeIsFound) {
  const auto created = create("a");
  keeper_.make(asked(Tag::spawn));
  lose_connection();
  run_until([&] { return created->has_value(); });
  EXPECT_EQ((*created)->error().code, base::Code::unavailable);
  EXPECT_EQ(stage("a"), std::nullopt);
  look_again();
  run_until([&] {
    hand_over_all();
    return stage("a") == Stage::running;
  });
  EXPECT_TRUE(sessions_.terminals().find(user_, "a"));
}

TEST_F(RecoveryTest, WhatWasBeingRestoredWhenTheConnectionBrokeRuns) {
  have("a");
  lose("a");
  const auto restored = restore("a");
  keeper_.make(asked(Tag::spawn));
  lose_connection();
  run_until([&] { return restored->has_value(); });
  EXPECT_EQ(stage("a"), Stage::restorable);
  look_again();
  run_until([&] {
    hand_over_all();
    return stage("a") == Stage::running;
  });
}

TEST_F(RecoveryTest, AnExitDuringTheLostConnectionIsTold) {
  have("a");
  keeper_.child("a").exit = 5;
  look_again();
  run_until([&] { return stage("a") == Stage::exited; });
  EXPECT_EQ(other_.take(), Told{"exited a"});
}

TEST_F(RecoveryTest, ALostTerminalThatLivedAsLongAsItsConnectionIsGone) {
  TerminalSpec spec = spec_of("a");
  spec.lifetime = Lifetime::connection;
  have(spec);
  keeper_.forget("a");
  look_again();
  run_until([&] { return stage("a") == std::nullopt; });
  EXPECT_EQ(other_.take(), Told{"closed a"});
  EXPECT_EQ(noted(), "a lost ");
}

TEST_F(RecoveryTest, WithoutAListNothingIsTakenForLost) {
  have("a");
  bool looked = false;
  boost::asio::co_spawn(io_, sessions_.look_again(),
                        [&](const std::exception_ptr&) { looked = true; });
  keeper_.refuse(asked(Tag::list));
  run_until([&] { return looked; });
  EXPECT_EQ(stage("a"), Stage::running);
}

}  // namespace
}  // namespace session
