#include "extension/resources.h"

#include "extension/extension_fixture.h"
#include "extension/process_record.h"

namespace extension {
namespace {

using session::ResourceState;

class ResourcesTest : public ExtensionTest {
 protected:
  // The records as a later daemon reads them, as text.
  std::string stored() {
    std::string text;
    const auto rows = store_.extensions().resources(session_.id).value();
    for (const auto& row : rows)
      text += row.extension + "/" + row.key + " " + state(row.state) + " " + row.description + "\n";
    return text;
  }
  static std::string state(ResourceState of) {
    return of == ResourceState::live ? "live" : of == ResourceState::orphan ? "orphan" : "lost";
  }
  std::string last_note() {
    const auto entries = store_.log({.session = session_.id, .newest = 1}).value();
    return entries.empty() ? ""
                           : entries[0].subject + " " + entries[0].event + " " + entries[0].detail;
  }
  void change(const std::string& key, const std::string& action, json::object more = {}) {
    more["key"] = key;
    more["action"] = action;
    resources_.changed("vms", more);
  }

  session::SessionRow session_ = make_session("main");
  Resources resources_{store_, session_, clock_};
};

TEST_F(ResourcesTest, ARecordFollowsItsResource) {
  change("one", "create", {{"description", "a VM"}});
  EXPECT_EQ(stored(), "vms/one live a VM\n");
  EXPECT_EQ(last_note(), "vms/one create a VM");
  change("one", "orphan");
  EXPECT_EQ(stored(), "vms/one orphan a VM\n");
  change("one", "adopt", {{"description", "mine"}});
  EXPECT_EQ(stored(), "vms/one live mine\n");
  change("one", "close");
  EXPECT_EQ(stored(), "");
  EXPECT_TRUE(resources_.rows().empty());
}

TEST_F(ResourcesTest, AMessageThatIsNoneChangesNothing) {
  resources_.changed("vms", {{"key", 1}, {"action", "create"}});
  resources_.changed("vms", {{"key", "one"}});
  EXPECT_TRUE(resources_.rows().empty());
}

TEST_F(ResourcesTest, ALaterDaemonKnowsTheRecords) {
  change("one", "create", {{"description", "a VM"}});
  const Resources later(store_, session_, clock_);
  EXPECT_EQ(later.rows(), resources_.rows());
}

TEST_F(ResourcesTest, WhileTheStoreIsLockedTheRecordsAreInMemory) {
  change("one", "create");
  const SessionExtensionsPtr extensions = by_session_.of(session_);
  auto other = session::Database::open(path(), std::chrono::milliseconds(0)).value();
  ASSERT_TRUE(other.execute("BEGIN IMMEDIATE"));
  change("two", "create");
  change("one", "close");
  extensions->record(session::ExtensionsWere::open);
  EXPECT_FALSE(resources_.contains({"vms", "one"}));
  EXPECT_TRUE(resources_.contains({"vms", "two"}));
  ASSERT_TRUE(other.execute("ROLLBACK"));
  EXPECT_EQ(stored(), "vms/one live \n");
  change("two", "orphan");
  EXPECT_EQ(stored(), "vms/one live \nvms/two orphan \n");
  EXPECT_EQ(store_.sessions(user_).value().at(0).extensions, session::ExtensionsWere::never);
}

TEST_F(ResourcesTest, WhenTheWorkerEndsTheyAreLostAndUnnamedProgramsAreEnded) {
  const std::int64_t self = ::getpid();
  const std::int64_t parent = ::getppid();
  change("one", "create", {{"pids", json::array{self}}});
  resources_.set_children({self, parent});
  EXPECT_EQ(resources_.would_be_lost(),
            (std::vector<std::string>{"vms/one", "2 running program(s)"}));
  EXPECT_EQ(resources_.lose("crashed"), records_of({parent}));
  EXPECT_EQ(stored(), "vms/one lost \n");
  EXPECT_EQ(last_note(), "vms/one lost crashed");
  EXPECT_TRUE(resources_.would_be_lost().empty());
  EXPECT_TRUE(resources_.lose("again").empty());
  EXPECT_EQ(last_note(), "vms/one lost crashed");
}

TEST_F(ResourcesTest, WhatAnOlderRunnerHoldsReplacesWhatWasKnown) {
  change("kept", "create");
  change("closed", "create");
  change("lost", "create");
  (void)resources_.lose("crashed");
  change("kept", "adopt");
  change("closed", "adopt");
  const auto created = resources_.rows().at({"vms", "kept"}).created;
  clock_.advance(std::chrono::hours(1));
  resources_.announced({{{"extension", "vms"}, {"key", "kept"}, {"state", "orphan"}},
                        {{"extension", "vms"}, {"key", "new"}, {"state", "live"}}});
  EXPECT_EQ(stored(), "vms/kept orphan \nvms/lost lost \nvms/new live \n");
  EXPECT_EQ(resources_.rows().at({"vms", "kept"}).created, created);
  EXPECT_EQ(resources_.rows().at({"vms", "new"}).created, clock_.wall());
}

TEST_F(ResourcesTest, WhatTheExtensionDoesNotCloseTheDaemonForgets) {
  change("one", "create");
  const auto runner = connect();
  const std::shared_ptr<Rpc> connection = runners_.of(session_).connection();
  ASSERT_TRUE(connection);
  std::optional<base::Result<std::string>> closed;
  tasks_.spawn([&]() -> asio::awaitable<void> {
    Resources::Key key("vms", "one");
    closed = co_await resources_.close(std::move(key), connection);
  });
  const auto asked = runner->take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].method, "resource.close");
  EXPECT_FALSE(closed);
  runner->answer(asked[0].id, json::object{{"error", "it threw"}});
  ASSERT_TRUE(closed && *closed);
  EXPECT_EQ(**closed, "it threw");
  EXPECT_EQ(stored(), "");
  EXPECT_EQ(last_note(), "vms/one close by the daemon, because close failed: it threw");
}

TEST_F(ResourcesTest, WhatIsLostIsClosedWithoutTheRunner) {
  change("one", "create");
  (void)resources_.lose("crashed");
  const auto runner = connect();
  const std::shared_ptr<Rpc> connection = runners_.of(session_).connection();
  const auto close = [&] {
    return result_of<base::Result<std::string>>(
        [this, connection] { return resources_.close({"vms", "one"}, connection); });
  };
  const auto closed = close();
  ASSERT_TRUE(closed && *closed);
  EXPECT_TRUE(runner->take().empty());
  const auto again = close();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->error().code, base::Code::not_found);
}

}  // namespace
}  // namespace extension
