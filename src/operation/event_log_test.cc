// Events are numbered, none is missing or sent twice, and a daemon adds what happened without one.

#include "operation/event_log.h"

#include "operation/test_operations.h"

namespace operation {
namespace {

using Types = std::vector<std::string>;

class EventLogTest : public session::SessionsTest {
 protected:
  EventLogTest() { reopen(); }
  // As the next daemon does.
  void reopen() {
    log_.reset();
    log_.emplace(io_.get_executor(), sessions_, dir() / "events");
  }
  Types types(EventCursor& cursor, const session::Reach& reach) {
    Types types;
    for (auto events = log_->take(reach, cursor); !events.empty();
         events = log_->take(reach, cursor))
      for (const ShownEvent& event : events) {
        types.push_back(event.type);
        last_ = event.id;
      }
    return types;
  }
  Types types(EventCursor& cursor) { return types(cursor, user_); }
  void forget() { std::filesystem::remove(dir() / "events"); }
  void close_now(const std::string& id) {
    const auto closed = close(id);
    keeper_.done(asked(keeper::Tag::close));
    run_until([&] { return closed->has_value(); });
  }

  std::optional<EventLog> log_;
  std::string last_;  // The id of the last event that was taken.
};

TEST_F(EventLogTest, ANewReaderGetsWhatThereIsAndThenEachEventOnce) {
  have("t");
  EventCursor cursor = log_->after("");
  EXPECT_EQ(types(cursor), Types{"reset"});
  EXPECT_EQ(types(cursor), Types{});
  close_now("t");
  EXPECT_EQ(types(cursor), Types{"terminal_closed"});
  EXPECT_EQ(types(cursor), Types{});
}

TEST_F(EventLogTest, AReaderResumesAfterTheLastIdItGot) {
  EventCursor cursor = log_->after("");
  types(cursor);
  have("a");
  types(cursor);
  const std::string seen = last_;
  have("b");
  EventCursor resumed = log_->after(seen);
  EXPECT_EQ(types(resumed), Types{"terminal_created"});
  EXPECT_EQ(log_->id_before(resumed), last_);
}

TEST_F(EventLogTest, AnIdThatIsNotOursStartsOver) {
  have("t");
  EventCursor cursor = log_->oldest();
  types(cursor);
  const std::string log = last_.substr(0, last_.rfind('-'));
  for (const std::string& id : {std::string("nonsense"), std::string("other-1"), log + "-",
                                log + "-1x", log + "-999999", log + "-18446744073709551616"})
    EXPECT_TRUE(log_->after(id).starts_over) << id;
  EXPECT_FALSE(log_->after(last_).starts_over);
}

TEST_F(EventLogTest, NumbersGoOnOverDaemonsAndWhatHappenedInBetweenIsAdded) {
  have("a");
  have("b");
  EventCursor cursor = log_->oldest();
  types(cursor);
  const std::string seen = last_;
  log_.reset();  // No daemon is there.
  close_now("a");
  EXPECT_TRUE(sessions_.names().rename(user_, "b", "renamed", nullptr));
  reopen();
  EventCursor resumed = log_->after(seen);
  EXPECT_FALSE(resumed.starts_over);
  EXPECT_EQ(types(resumed), (Types{"terminal_closed", "terminal_renamed"}));
  reopen();
  EXPECT_EQ(types(resumed), Types{}) << "nothing happened, so nothing is added";
}

TEST_F(EventLogTest, WithoutItsFileReadersStartOver) {
  have("t");
  EventCursor cursor = log_->oldest();
  types(cursor);
  const std::string seen = last_;
  log_.reset();
  forget();
  reopen();
  EXPECT_TRUE(log_->after(seen).starts_over);
}

TEST_F(EventLogTest, ASlowReaderOfManyEventsStartsOver) {
  have("t");
  EventCursor slow = log_->oldest();
  types(slow);
  for (std::size_t n = 0; n <= EventLog::kMostEvents; ++n)
    EXPECT_TRUE(sessions_.names().rename(user_, "t", "name " + std::to_string(n), nullptr));
  const Types all = types(slow);
  EXPECT_EQ(all.front(), "reset");
  EventCursor oldest = log_->oldest();
  EXPECT_EQ(types(oldest).size(), EventLog::kMostEvents);
}

TEST_F(EventLogTest, OnlyWhatIsInReachIsTaken) {
  have("t");
  const session::TerminalEntry& entry = sessions_.terminals().at("t");
  const session::UserId stranger = store_.ensure_user("bob").value().id;
  EventCursor theirs = log_->oldest();
  EXPECT_EQ(types(theirs, stranger), Types{});
  session::Scope scope{.bounds = session::Bounds{.terminals = {entry.id}}};
  EventCursor bound = log_->oldest();
  EXPECT_EQ(types(bound, {user_, scope}), Types{"terminal_created"});
}

TEST_F(EventLogTest, TerminalsOfOneConnectionCauseNoEvents) {
  have("kept");
  EventCursor cursor = log_->oldest();
  types(cursor);
  session::TerminalSpec spec = spec_of("t");
  spec.lifetime = session::Lifetime::connection;
  have(spec);
  EXPECT_EQ(types(cursor), Types{});
}

TEST_F(EventLogTest, AWaitingReaderIsNotified) {
  bool is_notified = false;
  boost::asio::co_spawn(
      io_,
      [&]() -> boost::asio::awaitable<void> {
        (void)co_await log_->changed().wait();
        is_notified = true;
      },
      [](const std::exception_ptr& thrown) { EXPECT_EQ(thrown, nullptr); });
  settle();
  EXPECT_FALSE(is_notified);
  have("t");
  run_until([&] { return is_notified; });
}

}  // namespace
}  // namespace operation
