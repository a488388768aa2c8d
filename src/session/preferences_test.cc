#include "session/preferences.h"

#include "session/test_files.h"
#include "session/test_sessions.h"

namespace session {
namespace {

class PreferencesTest : public StoreTest {
 protected:
  using Told = std::vector<std::string>;

  PreferencesTest() {
    watchers_.add(ann_, asker_);
    watchers_.add(ann_, other_);
    watchers_.add(bob_, stranger_);
    watchers_.add({ann_, {.bounds = Bounds{.sessions = {work_.id}}}}, bound_);
  }
  [[nodiscard]] PreferenceOwner mine() const { return {.user = ann_, .session = {}}; }
  [[nodiscard]] PreferenceOwner of_work() const { return {.user = ann_, .session = work_.id}; }
  base::Result<PreferenceRow> set(const PreferenceOwner& owner, const std::string& name,
                                  const std::optional<std::string>& value,
                                  std::optional<std::int64_t> expected = {}) {
    return preferences_.set(owner, name, value, expected, &asker_);
  }
  // NAME=VALUE of each, with a space between.
  std::string kept(const PreferenceOwner& owner) {
    std::string all;
    const auto rows = preferences_.list(owner);
    for (const PreferenceRow& row : rows.value())
      all += (all.empty() ? "" : " ") + row.name + "=" + row.value.value();
    return all;
  }

  base::ManualClock clock_;
  Store store_ =
      Store::open(path(), {.busy_timeout = std::chrono::milliseconds(1), .clock = &clock_}).value();
  UserId ann_ = store_.ensure_user("ann").value().id;
  UserId bob_ = store_.ensure_user("bob").value().id;
  SessionRow work_ = store_.ensure_session(ann_, "work").value();
  Watchers watchers_;
  NotingWatcher asker_;
  NotingWatcher other_;
  NotingWatcher stranger_;
  NotingWatcher bound_;
  Preferences preferences_{store_, watchers_, clock_};
};

TEST_F(PreferencesTest, AreEachOwnersOwn) {
  EXPECT_TRUE(set(mine(), "theme", "\"dark\""));
  EXPECT_TRUE(set(of_work(), "theme", "1"));
  EXPECT_TRUE(set({.user = bob_, .session = {}}, "theme", "2"));
  EXPECT_TRUE(set(mine(), "font", "14"));
  EXPECT_EQ(kept(mine()), "font=14 theme=\"dark\"");
  EXPECT_EQ(kept(of_work()), "theme=1");
}

TEST_F(PreferencesTest, AreToldToTheUsersOthersWithinTheirScope) {
  EXPECT_TRUE(set(mine(), "theme", "1"));
  EXPECT_TRUE(set(of_work(), "layout", "{}"));
  EXPECT_TRUE(set(of_work(), "layout", {}));
  EXPECT_EQ(other_.take(), (Told{"preference theme is 1", "preference layout is {}",
                                 "preference layout is removed"}));
  EXPECT_EQ(bound_.take(), (Told{"preference layout is {}", "preference layout is removed"}));
  EXPECT_EQ(asker_.take(), Told{});
  EXPECT_EQ(stranger_.take(), Told{});
}

TEST_F(PreferencesTest, WhoeverExpectsAnotherRevisionIsRefused) {
  const auto first = set(mine(), "a", "1", 0);
  ASSERT_TRUE(first);
  const auto second = set(mine(), "a", "2", first->revision);
  ASSERT_TRUE(second);
  EXPECT_GT(second->revision, first->revision) << "in the same millisecond, too";
  other_.take();
  for (const std::int64_t wrong : {std::int64_t{0}, first->revision, second->revision + 1}) {
    EXPECT_EQ(set(mine(), "a", "3", wrong).error().code, base::Code::mismatch);
    EXPECT_EQ(set(mine(), "a", {}, wrong).error().code, base::Code::mismatch);
  }
  EXPECT_EQ(kept(mine()), "a=2");
  EXPECT_EQ(other_.take(), Told{}) << "of what did not happen";
  EXPECT_TRUE(set(mine(), "a", {}, second->revision));
  EXPECT_EQ(kept(mine()), "");
  EXPECT_TRUE(set(mine(), "a", "4", 0)) << "there is none again";
}

TEST_F(PreferencesTest, HaveLimitsAndWhatExceedsThemChangesNothing) {
  for (int i = 0; i < PreferenceRecords::kMost; ++i)
    EXPECT_TRUE(set(mine(), "n" + std::to_string(i), "0"));
  EXPECT_EQ(set(mine(), "more", "0").error().code, base::Code::too_large);
  EXPECT_EQ(preferences_.list(mine())->size(), PreferenceRecords::kMost);
  EXPECT_TRUE(set(mine(), "n0", "1")) << "that is not one more";
  EXPECT_TRUE(set(of_work(), "more", "0")) << "each session has its own";
  EXPECT_TRUE(set(mine(), "n0", {}));
  EXPECT_TRUE(set(mine(), "more", "0"));

  const std::string large = "\"" + std::string(64 * 1024 - 2, 'x') + "\"";
  int fit = 0;
  while (set({.user = bob_, .session = {}}, "v" + std::to_string(fit), large)) ++fit;
  EXPECT_EQ(fit, 16);
}

TEST_F(PreferencesTest, GoWithTheirSession) {
  EXPECT_TRUE(set(of_work(), "layout", "{}"));
  EXPECT_TRUE(set(mine(), "theme", "1"));
  EXPECT_TRUE(store_.remove_session(work_.id));
  EXPECT_EQ(kept(of_work()), "");
  EXPECT_EQ(kept(mine()), "theme=1");
}

// One value that was damaged in the file would make the whole answer unreadable.
TEST_F(PreferencesTest, AValueThatIsNoJsonIsLeftOut) {
  EXPECT_TRUE(set(mine(), "bad", "{\"a\":"));
  EXPECT_TRUE(set(mine(), "good", "1"));
  EXPECT_EQ(kept(mine()), "good=1");
}

TEST_F(PreferencesTest, ALockedStoreIsAskedOnceASecond) {
  auto lock = Database::open(path(), std::chrono::milliseconds(1));
  ASSERT_TRUE(lock->execute("BEGIN IMMEDIATE"));
  EXPECT_EQ(set(mine(), "a", "1").error().code, base::Code::busy);
  EXPECT_EQ(kept(mine()), "") << "reading goes on";
  ASSERT_TRUE(lock->execute("ROLLBACK"));
  EXPECT_EQ(set(mine(), "a", "1").error().code, base::Code::busy) << "without asking";
  EXPECT_EQ(other_.take(), Told{});
  clock_.advance(std::chrono::seconds(1));
  EXPECT_TRUE(set(mine(), "a", "1"));
  EXPECT_TRUE(set(mine(), "a", "2"));
}

}  // namespace
}  // namespace session
