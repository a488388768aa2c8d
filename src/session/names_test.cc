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

// --- what a bound credential reaches

class ReachTest : public NamesTest {
 protected:
  ReachTest() {
    for (const char* id : {"a1", "b1", "a2", "b2"}) add(id, id[0] == 'a' ? a_ : b_);
    (void)other_.take();
  }
  Reach to(Bounds bounds) { return {user_, {.access = {}, .bounds = std::move(bounds)}}; }
  base::Status reorder_as(const Reach& reach, std::vector<std::string> ids) {
    std::optional<base::Status> done;
    boost::asio::co_spawn(io_, names_.reorder(reach, std::move(ids), nullptr),
                          [&](const std::exception_ptr&, base::Status status) { done = status; });
    io_.restart();
    io_.run();
    return done.value();
  }
  std::string listed(const Reach& reach) {
    std::string ids;
    for (const TerminalEntry* entry : terminals_.living_or_restorable(reach))
      ids += entry->id.str() + " ";
    return ids;
  }
  std::string sessions(const Reach& reach) {
    std::string names;
    for (const SessionRow& row : names_.sessions(reach)) names += row.name + " ";
    return names;
  }

  SessionRow a_ = names_.create_session(user_, "a", SessionKind::interactive).value();
  SessionRow b_ = names_.create_session(user_, "b", SessionKind::interactive).value();
  Reach session_ = to({.sessions = {a_.id}, .terminals = {}});
  Reach terminal_ = to({.sessions = {}, .terminals = {TerminalId("b2")}});
};

TEST_F(ReachTest, WhatIsBeyondItIsNotThere) {
  EXPECT_EQ(listed(user_), "a1 b1 a2 b2 ");
  EXPECT_EQ(listed(session_), "a1 a2 ");
  EXPECT_EQ(listed(terminal_), "b2 ");
  EXPECT_EQ(listed(to({})), "");
  EXPECT_EQ(listed({stranger_, terminal_.scope}), "");
  EXPECT_TRUE(terminals_.find_living_or_restorable(terminal_, "b2"));
  EXPECT_EQ(terminals_.find_living_or_restorable(terminal_, "b1").error().code,
            base::Code::not_found);
  EXPECT_EQ(names_.rename(session_, "b1", "x", nullptr).error().code, base::Code::not_found);
  EXPECT_EQ(terminals_.count(terminal_)[b_.id].restorable, 1U);
}

TEST_F(ReachTest, SessionsAreSeenByTheirTerminalsButNotUsed) {
  EXPECT_EQ(sessions(session_), "a ");
  EXPECT_EQ(sessions(terminal_), "b ");
  EXPECT_TRUE(names_.find_session(session_, "a"));
  EXPECT_FALSE(names_.find_session(session_, "b"));
  EXPECT_FALSE(names_.find_session(terminal_, "b"));
  EXPECT_TRUE(names_.find_seen(terminal_, "b"));
  EXPECT_FALSE(names_.find_seen(terminal_, "a"));
  EXPECT_FALSE(names_.find_or_default(session_, "main")) << "and it is not created";
  EXPECT_FALSE(names_.find_session(user_, "main"));
  EXPECT_EQ(names_.create_session(session_, "c", SessionKind::interactive).error().code,
            base::Code::permission_denied);
  EXPECT_FALSE(names_.rename_session(terminal_, "b", "c", nullptr));
  EXPECT_EQ(names_.home(user_), "main");
  EXPECT_EQ(names_.home(session_), "a");
  EXPECT_EQ(names_.home(terminal_), "b");
}

TEST_F(ReachTest, EventsStayWithinIt) {
  NotingWatcher in_session;
  NotingWatcher at_terminal;
  watchers_.add(session_, in_session);
  watchers_.add(terminal_, at_terminal);
  ASSERT_TRUE(names_.rename(user_, "a1", "x", nullptr));
  ASSERT_TRUE(names_.rename(user_, "b2", "x", nullptr));
  ASSERT_TRUE(names_.create_session(user_, "c", SessionKind::interactive));
  ASSERT_TRUE(names_.rename_session(user_, "a", "d", nullptr));
  ASSERT_TRUE(reorder({"b2", "a2"}));
  EXPECT_EQ(in_session.take(), (Told{"renamed a1", "session a is d", "reordered a2 a1"}));
  EXPECT_EQ(at_terminal.take(), (Told{"renamed b2", "reordered b2"}));
}

// The others keep their places.
TEST_F(ReachTest, ReorderingMovesOnlyWhatIsInReach) {
  EXPECT_FALSE(reorder_as(session_, {"b1", "a2"}));
  ASSERT_TRUE(reorder_as(session_, {"a2"}));
  EXPECT_EQ(listed(user_), "a2 b1 a1 b2 ");
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
