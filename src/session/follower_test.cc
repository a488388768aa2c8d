// Who looks at a terminal, and what runs in it.

#include "session/follower.h"

#include "session/test_sessions.h"

namespace session {
namespace {

using keeper::Tag;

// A client that pulls nothing.
class Looker final : public terminal::ViewerEvents {
 public:
  explicit Looker(const TerminalEntry& entry) : viewer_(entry.terminal, {}, *this) {}
  void viewer_ready(terminal::Viewer&) override {}
  void viewer_detached(terminal::Viewer&, terminal::Detached why) override { detached = why; }

  std::optional<terminal::Detached> detached;

 private:
  terminal::Viewer viewer_;
};

class FollowerTest : public SessionsTest {
 protected:
  TerminalEntry& entry(const std::string& id) { return sessions_.terminals().at(id); }
};

TEST_F(FollowerTest, TheFirstViewerAndTheLastAreTold) {
  have("a");
  {
    const Looker first(entry("a"));
    const Looker second(entry("a"));
    EXPECT_EQ(other_.take(), Told{"attached a"});
    EXPECT_EQ(sessions_.terminals().counts().active, 1u);
    EXPECT_EQ(sessions_.terminals().counts().viewers, 2u);
  }
  EXPECT_EQ(other_.take(), Told{"orphaned a"});
  EXPECT_EQ(sessions_.terminals().counts().orphaned, 1u);
}

TEST_F(FollowerTest, WhoLooksAtWhatEndsWithItsConnectionIsNobodysBusiness) {
  TerminalSpec spec = spec_of("a");
  spec.lifetime = Lifetime::connection;
  have(spec);
  {
    const Looker looker(entry("a"));
  }
  EXPECT_EQ(other_.take(), Told{});
}

TEST_F(FollowerTest, ViewersLeaveAClosedTerminalAndNobodyIsToldOfThat) {
  have("a");
  const Looker looker(entry("a"));
  other_.take();
  const auto closed = close("a");
  keeper_.done(asked(Tag::close));
  run_until([&] { return closed->has_value(); });
  EXPECT_EQ(looker.detached, terminal::Detached::closed);
  EXPECT_EQ(other_.take(), Told{"closed a"});
}

TEST_F(FollowerTest, AnExitIsToldAfterTheLastOutput) {
  have("a");
  keeper_.print("a", "last words");
  keeper_.exit("a", 2);
  run_until([&] { return stage("a") == Stage::exited; });
  EXPECT_TRUE(shown(entry("a")).contains("last words"));
  EXPECT_EQ(noted(), "a exited 2");
  EXPECT_EQ(store_.terminals().value().at(0).exit, 2);
  keeper_.exit("a", 3);  // A keeper may say it again.
  settle();
  EXPECT_EQ(entry("a").exit_code, 2);
  EXPECT_EQ(other_.take(), Told{"exited a"});
}

TEST_F(FollowerTest, TheExitOfWhatNobodyHasIsIgnored) {
  keeper_.hold("stranger", "");
  keeper_.exit("stranger", 0);
  settle();
  EXPECT_EQ(other_.take(), Told{});
}

TEST_F(FollowerTest, WhatIsCountedIsWhatThereIs) {
  for (const std::string id : {"a", "b", "c"}) have(id);
  keeper_.exit("b", 0);
  run_until([&] { return stage("b") == Stage::exited; });
  lose("c");
  const auto counts = sessions_.terminals().counts();
  EXPECT_EQ(counts.orphaned, 1u);
  EXPECT_EQ(counts.exited, 1u);
  const auto by_session = sessions_.terminals().count(user_);
  ASSERT_EQ(by_session.size(), 1u);
  EXPECT_EQ(by_session.begin()->second.living, 2u);
  EXPECT_EQ(by_session.begin()->second.restorable, 1u);
}

TEST_F(FollowerTest, WhatRunsIsFoundInTheSessionThatIsAskedFor) {
  ASSERT_TRUE(sessions_.names().create_session(user_, "work", SessionKind::interactive));
  have("a");
  TerminalSpec spec = spec_of("b");
  spec.session = "work";
  have(spec);
  const auto all = start(sessions_.terminals().activities(user_, std::nullopt));
  run_until([&] { return all->has_value(); });
  EXPECT_EQ((*all)->size(), 2u);
  // The keeper says that the test itself runs in them.
  EXPECT_EQ((*all)->at("a").working_directory, std::filesystem::current_path());
  const auto some = start(sessions_.terminals().activities(user_, "work"));
  run_until([&] { return some->has_value(); });
  ASSERT_EQ((*some)->size(), 1u);
  EXPECT_EQ((*some)->begin()->first, "b");
}

TEST_F(FollowerTest, WhoWaitsForAStageEndsWithTheDaemon) {
  have("a");
  lose("a");
  (void)restore("a");
  base::TaskScope tasks(io_.get_executor());
  std::optional<base::Status> waited;
  tasks.spawn([&]() -> boost::asio::awaitable<void> {
    waited = co_await sessions_.terminals().while_in("a", Stage::restoring);
  });
  settle();
  EXPECT_FALSE(waited);
  tasks.cancel();
  finish(tasks.join());
  ASSERT_TRUE(waited);
  EXPECT_EQ(waited->error().code, base::Code::unavailable);
  keeper_.start(asked(Tag::spawn));
  run_until([&] { return stage("a") == Stage::running; });
}

}  // namespace
}  // namespace session
