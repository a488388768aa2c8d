#include "session/extension_records.h"

#include "session/store.h"
#include "session/test_files.h"

namespace session {
namespace {

class ExtensionRecordsTest : public StoreTest {
 protected:
  ExtensionRecordsTest() {
    store.emplace(*Store::open(path()));
    user = store->ensure_user("ann")->id;
    const auto session = *store->ensure_session(user, "main", SessionKind::interactive, "/src");
    vms = {.session = session.id, .name = "vms"};
  }
  void reopen() {
    store.reset();
    store.emplace(*Store::open(path()));
  }
  [[nodiscard]] ExtensionRecords records() { return store->extensions(); }
  [[nodiscard]] SessionRow session() { return store->sessions(user)->front(); }

  std::optional<Store> store;
  UserId user;
  ExtensionKey vms;
};

TEST_F(ExtensionRecordsTest, ASessionRemembersItsDirectoryAndWhatItsExtensionsWere) {
  EXPECT_EQ(session().cwd, "/src");
  EXPECT_EQ(session().extensions, ExtensionsWere::never);
  for (const ExtensionsWere what : {ExtensionsWere::open, ExtensionsWere::closed}) {
    ASSERT_TRUE(records().set_were(vms.session, what));
    reopen();
    EXPECT_EQ(session().extensions, what);
  }
}

TEST_F(ExtensionRecordsTest, GenerationsGrowAlsoOverARestart) {
  EXPECT_EQ(*records().next_generation(vms), 1);
  EXPECT_EQ(*records().next_generation(vms), 2);
  reopen();
  EXPECT_EQ(*records().next_generation(vms), 3);
  EXPECT_EQ(*records().next_generation({.session = vms.session, .name = "pool"}), 1);
}

TEST_F(ExtensionRecordsTest, WhatExtensionsMustDecideIsRemembered) {
  EXPECT_TRUE(records().guards(vms.session)->empty());
  ASSERT_TRUE(records().set_guard(vms, {"user_bash", "terminal_before_create"}));
  reopen();
  EXPECT_EQ(*records().guards(vms.session),
            (Guards{{"vms", {"terminal_before_create", "user_bash"}}}));
  ASSERT_TRUE(records().set_guard(vms, {}));
  EXPECT_EQ(*records().guards(vms.session), (Guards{{"vms", {}}}));
}

TEST_F(ExtensionRecordsTest, WhatTheyMustDecideCountsInSessionsInWhichTheyHaveNotSaidSo) {
  const SessionId other = store->ensure_session(user, "other")->id;
  const UserId bob = store->ensure_user("bob")->id;
  const SessionId bobs = store->ensure_session(bob, "main")->id;
  ASSERT_TRUE(records().set_guard(vms, {"user_bash"}));
  EXPECT_EQ(*records().guards(other), (Guards{{"vms", {"user_bash"}}}));
  EXPECT_TRUE(records().guards(bobs)->empty());
  // What it declared in this session wins, even if that is nothing.
  ASSERT_TRUE(records().set_guard({.session = other, .name = "vms"}, {}));
  EXPECT_EQ(*records().guards(other), (Guards{{"vms", {}}}));
  EXPECT_EQ(*records().guards(vms.session), (Guards{{"vms", {"user_bash"}}}));
}

TEST_F(ExtensionRecordsTest, AResourceIsSavedChangedAndRemoved) {
  ResourceRow row{.session = vms.session,
                  .extension = "vms",
                  .key = "vm:one",
                  .description = "VM one",
                  .processes = {{.pid = 4711, .started = "boot:99"}, {.pid = 4712, .started = ""}},
                  .created = base::WallTime(std::chrono::milliseconds(1'763'000'000'123))};
  ASSERT_TRUE(records().save_resource(row));
  row.state = ResourceState::orphan;
  ASSERT_TRUE(records().save_resource(row));
  reopen();
  EXPECT_EQ(*records().resources(vms.session), std::vector{row});
  ASSERT_TRUE(records().remove_resource(vms, "vm:one"));
  EXPECT_TRUE(records().resources(vms.session)->empty());
}

TEST_F(ExtensionRecordsTest, StateIsEachExtensionsOwn) {
  const ExtensionKey pool{.session = vms.session, .name = "pool"};
  ASSERT_TRUE(records().set_state(vms, "a", "1"));
  ASSERT_TRUE(records().set_state(vms, "a", "[2]"));
  ASSERT_TRUE(records().set_state(pool, "b", "null"));
  reopen();
  EXPECT_EQ(*records().state(vms, "a"), "[2]");
  EXPECT_EQ(*records().state(pool, "a"), std::nullopt);
  EXPECT_EQ(*records().state_keys(pool), std::vector<std::string>{"b"});
  ASSERT_TRUE(records().remove_state(vms, "a"));
  EXPECT_TRUE(records().state_keys(vms)->empty());
}

TEST_F(ExtensionRecordsTest, StateHasLimitsAndWhatExceedsThemChangesNothing) {
  const std::string large(kMaxStateValue - 8, 'x');
  EXPECT_EQ(records().set_state(vms, "0", large + "123456789").error().code, base::Code::too_large);
  std::size_t kept = 0;
  while (records().set_state(vms, std::to_string(kept), large)) ++kept;
  EXPECT_EQ(kept, kMaxState / kMaxStateValue);
  EXPECT_EQ(records().set_state(vms, "more", large).error().code, base::Code::too_large);
  EXPECT_EQ(records().state_keys(vms)->size(), kept);
  EXPECT_TRUE(records().set_state(vms, "0", "1")) << "a smaller value fits again";
}

TEST_F(ExtensionRecordsTest, EverythingGoesWithItsSession) {
  ASSERT_TRUE(records().next_generation(vms));
  ASSERT_TRUE(records().set_state(vms, "a", "1"));
  ASSERT_TRUE(records().save_resource({.session = vms.session, .extension = "vms", .key = "k"}));
  ASSERT_TRUE(store->remove_session(vms.session));
  EXPECT_TRUE(records().resources(vms.session)->empty());
  EXPECT_TRUE(records().state_keys(vms)->empty());
}

TEST_F(ExtensionRecordsTest, DirectoriesAreTrustedByOneUser) {
  const UserId bob = store->ensure_user("bob")->id;
  ASSERT_TRUE(records().trust(user, "/src"));
  ASSERT_TRUE(records().trust(user, "/src")) << "trusting twice is no error";
  EXPECT_EQ(*records().trusted(user), std::vector<std::string>{"/src"});
  EXPECT_TRUE(records().trusted(bob)->empty());
  ASSERT_TRUE(records().distrust(user, "/src"));
  EXPECT_TRUE(records().trusted(user)->empty());
}

}  // namespace
}  // namespace session
