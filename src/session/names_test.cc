#include "session/names.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "session/test_sessions.h"

namespace session {
namespace {

class NamesTest : public StoreTest {
 protected:
  using Told = std::vector<std::string>;

  NamesTest() {
    watchers_.add(user_, asker_);
    watchers_.add(user_, other_);
  }
  void add(const std::string& id, const SessionRow& session) {
    TerminalEntry entry(Stage::restorable);
    entry.key = entry.id = TerminalId(id);
    entry.user = user_;
    entry.session = session;
    entry.position = terminals_.next_position(user_);
    entry.saved = TerminalRow{};
    EXPECT_TRUE(terminals_.add(std::move(entry)));
    rows_.save(id);
  }
  base::Status reorder(std::vector<std::string> ids) {
    std::optional<base::Status> done;
    boost::asio::co_spawn(io_, names_.reorder(user_, std::move(ids), &asker_),
                          [&](const std::exception_ptr& thrown, base::Status status) {
                            EXPECT_EQ(thrown, nullptr);
                            done = status;
                          });
    io_.restart();
    io_.run();
    return done.value();
  }
  std::vector<std::string> stored_order() {
    std::vector<std::string> ids;
    const auto rows = store_.terminals();
    for (const TerminalRow& row : rows.value()) ids.push_back(row.id.str());
    return ids;
  }

  boost::asio::io_context io_;
  Store store_ = Store::open(path()).value();
  UserId user_ = store_.ensure_user("ann").value().id;
  UserId stranger_ = store_.ensure_user("bob").value().id;
  Settings settings_;
  Terminals terminals_{io_.get_executor()};
  RowSaver rows_{io_.get_executor(), store_, terminals_, dir() / "unsaved.json"};
  Watchers watchers_;
  NotingWatcher asker_;
  NotingWatcher other_;
  Names names_{store_, terminals_, rows_, watchers_, settings_};
};

TEST_F(NamesTest, OnlyTheDefaultSessionIsCreatedWhenItIsNeeded) {
  EXPECT_FALSE(names_.find_session(user_, "main"));
  EXPECT_FALSE(names_.find_or_default(user_, "work"));
  const auto made = names_.find_or_default(user_, "main");
  ASSERT_TRUE(made);
  EXPECT_EQ(names_.find_or_default(user_, "main").value(), *made);
  EXPECT_EQ(*names_.find_session(made->id), *made);
  EXPECT_EQ(other_.take(), Told{"session main"});
}

TEST_F(NamesTest, AUsersSessionsHaveDifferentNames) {
  ASSERT_TRUE(names_.create_session(user_, "a", SessionKind::interactive));
  ASSERT_TRUE(names_.create_session(user_, "b", SessionKind::interactive));
  ASSERT_TRUE(names_.create_session(stranger_, "a", SessionKind::interactive));
  EXPECT_EQ(names_.create_session(user_, "a", SessionKind::interactive).error().code,
            base::Code::already_exists);
  EXPECT_EQ(names_.rename_session(user_, "b", "a", nullptr).error().code,
            base::Code::already_exists);
  EXPECT_EQ(names_.rename_session(stranger_, "b", "c", nullptr).error().code,
            base::Code::not_found);
  EXPECT_EQ(names_.sessions(user_).size(), 2u);
  EXPECT_EQ(names_.count(), 3u);
}

TEST_F(NamesTest, TheLimitIsPerUserAndCountsAtOnce) {
  settings_.user_sessions = 1;
  ASSERT_TRUE(names_.create_session(user_, "a", SessionKind::interactive));
  EXPECT_EQ(names_.create_session(user_, "b", SessionKind::interactive).error().code,
            base::Code::too_large);
  EXPECT_TRUE(names_.create_session(stranger_, "a", SessionKind::interactive));
  settings_.user_sessions = 2;
  EXPECT_TRUE(names_.create_session(user_, "b", SessionKind::interactive));
}

TEST_F(NamesTest, ARenamedSessionsTerminalsKnowItsName) {
  const auto session = names_.create_session(user_, "a", SessionKind::interactive, {}, {}, &asker_);
  add("t", *session);
  ASSERT_TRUE(names_.rename_session(user_, "a", "b", &asker_));
  EXPECT_EQ(terminals_.at("t").session.name, "b");
  EXPECT_EQ(names_.find_session(session->id)->name, "b");
  EXPECT_EQ(store_.sessions(user_).value().front().name, "b");
  ASSERT_TRUE(names_.remove_session(session->id, &asker_));
  EXPECT_TRUE(names_.remove_session(session->id, &asker_));  // Once more is no error, and not told.
  EXPECT_EQ(asker_.take(), Told{});
  EXPECT_EQ(other_.take(), (Told{"session a", "session a is b", "session closed b"}));
}

TEST_F(NamesTest, WhatIsRenamedIsSavedAndToldToOthers) {
  add("t", names_.find_or_default(user_, "main").value());
  asker_.take();
  other_.take();
  const auto renamed = names_.rename(user_, "t", "build", &asker_);
  ASSERT_TRUE(renamed);
  EXPECT_EQ((*renamed)->name, "build");
  EXPECT_EQ(store_.terminals().value().front().name, "build");
  EXPECT_EQ(names_.rename(user_, "t", "", &asker_).value()->name, std::nullopt);
  EXPECT_EQ(names_.rename(stranger_, "t", "mine", nullptr).error().code, base::Code::not_found);
  EXPECT_EQ(asker_.take(), Told{});
  EXPECT_EQ(other_.take(), (Told{"renamed t", "renamed t"}));
}

TEST_F(NamesTest, ThoseThatAreNamedComeFirst) {
  const SessionRow session = names_.find_or_default(user_, "main").value();
  for (const std::string id : {"a", "b", "c", "d"}) add(id, session);
  asker_.take();
  other_.take();
  ASSERT_TRUE(reorder({"c", "a", "c"}));
  EXPECT_EQ(stored_order(), (Told{"c", "a", "b", "d"}));
  EXPECT_EQ(asker_.take(), Told{});
  EXPECT_EQ(other_.take(), Told{"reordered c a b d"});
  EXPECT_EQ(reorder({"b", "x"}).error().code, base::Code::not_found);
  EXPECT_EQ(stored_order(), (Told{"c", "a", "b", "d"}));
}

}  // namespace
}  // namespace session
