// Sessions with a real store, a keeper that answers when the test says so, and watchers that write
// down what they are told.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "session/sessions.h"
#include "session/test_files.h"
#include "session/test_keeper.h"

namespace session {

class NotingWatcher final : public Watcher {
 public:
  void terminal_created(const TerminalEntry& entry) override { note("created", entry); }
  void terminal_renamed(const TerminalEntry& entry) override { note("renamed", entry); }
  void terminals_reordered(const std::vector<const TerminalEntry*>& order) override {
    std::string ids = "reordered";
    for (const TerminalEntry* entry : order) ids += " " + entry->id.str();
    told.push_back(ids);
  }
  void terminal_exited(const TerminalEntry& entry) override { note("exited", entry); }
  void terminal_closed(const TerminalEntry& entry, CloseReason) override {
    note("closed", entry);
    exit_code = entry.exit_code;
  }
  void terminal_restorable(const TerminalEntry& entry) override { note("restorable", entry); }
  void session_created(const SessionRow& row) override { told.push_back("session " + row.name); }
  void session_renamed(const SessionRow& row, const std::string& old_name) override {
    told.push_back("session " + old_name + " is " + row.name);
  }
  void session_closed(const SessionRow& row) override {
    told.push_back("session closed " + row.name);
  }

  // What it was told since the last call.
  std::vector<std::string> take() { return std::exchange(told, {}); }

  std::vector<std::string> told;
  std::optional<int> exit_code;  // With the last `closed`.

 private:
  void note(const char* event, const TerminalEntry& entry) {
    told.push_back(std::string(event) + " " + entry.id.str());
  }
};

class SessionsTest : public StoreTest {
 protected:
  using Told = std::vector<std::string>;
  template <class T>
  using Answer = std::shared_ptr<std::optional<T>>;  // None until it is there.

  SessionsTest() {
    start(client_.start(keeper::Takeover::no));
    const auto recovered = start(sessions_.recover(user_));
    list();
    run_until([&] { return recovered->has_value(); });
    EXPECT_TRUE(**recovered);
    sessions_.watchers().add(user_, asker_);
    sessions_.watchers().add(user_, other_);
  }
  ~SessionsTest() override {
    bool is_over = false;
    boost::asio::co_spawn(
        io_,
        [&]() -> boost::asio::awaitable<void> {
          co_await sessions_.stop();
          co_await client_.stop();
          is_over = true;
        },
        [](const std::exception_ptr& thrown) { EXPECT_EQ(thrown, nullptr); });
    run_until([&] { return is_over; });
  }

  // Runs the loop, and lets the keeper take requests, until `condition` holds.
  void run_until(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition() && std::chrono::steady_clock::now() < deadline) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(1));
      keeper_.look();
    }
    EXPECT_TRUE(condition());
  }
  // Runs everything that can run without another answer of the keeper.
  void settle() {
    std::size_t ran = 1;
    for (std::size_t before = 0; ran > 0 || keeper_.open_requests() != before;) {
      before = keeper_.open_requests();
      io_.restart();
      ran = io_.poll();
      keeper_.look();
    }
  }
  template <class T>
  Answer<T> start(boost::asio::awaitable<T> work) {
    auto answer = std::make_shared<std::optional<T>>();
    boost::asio::co_spawn(io_, std::move(work),
                          [answer](const std::exception_ptr& thrown, T value) {
                            EXPECT_EQ(thrown, nullptr);
                            *answer = std::move(value);
                          });
    settle();
    return answer;
  }
  keeper::Message asked(keeper::Tag tag) {
    run_until([&] { return keeper_.was_asked(tag); });
    return keeper_.take(tag);
  }
  void list() { keeper_.list(asked(keeper::Tag::list)); }

  Answer<base::Result<TerminalEntry*>> create(const std::string& id) {
    TerminalSpec spec;
    spec.id = TerminalId(id);
    spec.size = {.cols = 80, .rows = 24};
    spec.asker = &asker_;
    return start(sessions_.launcher().create(user_, spec));
  }
  Answer<base::Result<Closed>> close(const std::string& id) {
    return start(sessions_.closer().close(user_, id, CloseReason::user_requested, &asker_));
  }
  Answer<base::Result<TerminalEntry*>> restore(const std::string& id) {
    return start(sessions_.launcher().restore(user_, id, {}, {}, &asker_, {}));
  }
  // A terminal that runs, and of which the watchers have been told.
  void have(const std::string& id) {
    const auto created = create(id);
    keeper_.start(asked(keeper::Tag::spawn));
    run_until([&] { return created->has_value(); });
    EXPECT_TRUE(**created);
    other_.take();
  }
  // Its keeper died, and another one is there that knows nothing of it.
  void lose(const std::string& id) {
    keeper_.forget(id);
    look_again();
    run_until([&] { return stage(id) == Stage::restorable; });
    asker_.take();
    other_.take();
  }
  void look_again() {
    boost::asio::co_spawn(io_, sessions_.look_again(),
                          [](const std::exception_ptr& thrown) { EXPECT_EQ(thrown, nullptr); });
    list();
    settle();
  }
  // None if there is no such terminal.
  std::optional<Stage> stage(const std::string& id) {
    const TerminalEntry* const entry = sessions_.terminals().find(id);
    return entry == nullptr ? std::nullopt : std::optional(entry->stage());
  }
  std::vector<std::string> stored() {
    std::vector<std::string> ids;
    const auto rows = store_.terminals();
    for (const TerminalRow& row : rows.value()) ids.push_back(row.id.str());
    return ids;
  }

  boost::asio::io_context io_;
  Store store_ = Store::open(path(), {.busy_timeout = std::chrono::milliseconds(1)}).value();
  UserId user_ = store_.ensure_user("ann").value().id;
  TestKeeper keeper_{dir()};
  keeper::KeeperClient client_{
      io_.get_executor(),
      dir(),
      {.exited = [this](const keeper::ChildId& id,
                        const keeper::ChildExit& exit) { sessions_.child_exited(id, exit); },
       .let_go = {},
       .lost = {},
       .unreachable = {},
       .back = {},
       .displaced = {}}};
  Sessions sessions_{io_.get_executor(), client_, store_, settings()};
  NotingWatcher asker_;
  NotingWatcher other_;

 private:
  [[nodiscard]] Settings settings() const {
    Settings settings;
    settings.unsaved_file = dir() / "unsaved.json";
    settings.history_dir = dir() / "histories";
    return settings;
  }
};

}  // namespace session
