// Sessions with a real store, a keeper that answers when the test says so, and watchers that write
// down what they are told.

#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>

#include "session/sessions.h"
#include "session/test_files.h"
#include "session/test_loop.h"
#include "vt/capture.h"

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
  void terminal_attached(const TerminalEntry& entry) override { note("attached", entry); }
  void terminal_orphaned(const TerminalEntry& entry) override { note("orphaned", entry); }
  void session_created(const SessionRow& row) override { told.push_back("session " + row.name); }
  void session_renamed(const SessionRow& row, const std::string& old_name) override {
    told.push_back("session " + old_name + " is " + row.name);
  }
  void session_closed(const SessionRow& row) override {
    told.push_back("session closed " + row.name);
  }
  void preference_changed(const PreferenceRow& row) override {
    told.push_back("preference " + row.name + " is " + row.value.value_or("removed"));
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

// The daemon's side: its connection to the keeper, and its sessions.
struct TestDaemon {
  TestDaemon(boost::asio::io_context& io, const std::filesystem::path& dir, Store& store,
             Settings settings)
      : client(
            io.get_executor(), dir,
            {.exited = [this](const keeper::ChildId& id,
                              const keeper::ChildExit& exit) { sessions.child_exited(id, exit); },
             .let_go = {},
             .lost = {},
             .unreachable = {},
             .back = [this] { ++times_back; },
             .displaced = {}}),
        sessions(io.get_executor(), client, store, std::move(settings)) {}
  boost::asio::awaitable<void> stop() {
    co_await sessions.stop();
    co_await client.stop();
  }

  int times_back = 0;  // After it had lost the keeper.
  keeper::KeeperClient client;
  Sessions sessions;
};

class SessionsTest : public StoreTest, protected TestLoop {
 protected:
  using Told = std::vector<std::string>;

  explicit SessionsTest(const std::function<void(Settings&)>& change = [](Settings&) {})
      : TestLoop(dir()), daemon_(io_, dir(), store_, settings(change)) {
    start(daemon_.client.start(keeper::Takeover::no));
    const auto recovered = start(sessions_.recover(user_));
    list();
    run_until([&] { return recovered->has_value(); });
    EXPECT_TRUE(**recovered);
    sessions_.watchers().add(user_, asker_);
    sessions_.watchers().add(user_, other_);
  }
  ~SessionsTest() override { finish(daemon_.stop()); }

  [[nodiscard]] Settings settings(const std::function<void(Settings&)>& change) const {
    Settings settings;
    settings.unsaved_file = dir() / "unsaved.json";
    settings.history_dir = dir() / "histories";
    change(settings);
    return settings;
  }

  [[nodiscard]] TerminalSpec spec_of(const std::string& id) const {
    TerminalSpec spec;
    spec.id = TerminalId(id);
    spec.size = {.cols = 80, .rows = 24};
    spec.asker = &asker_;
    return spec;
  }
  Answer<base::Result<TerminalEntry*>> create(TerminalSpec spec) {
    return start(sessions_.launcher().create(user_, std::move(spec)));
  }
  Answer<base::Result<TerminalEntry*>> create(const std::string& id) { return create(spec_of(id)); }
  Answer<base::Result<Closed>> close(const std::string& id) {
    return start(sessions_.closer().close(user_, id, CloseReason::user_requested, &asker_));
  }
  Answer<base::Result<TerminalEntry*>> restore(const std::string& id) {
    return start(sessions_.launcher().restore(user_, id, {}, {}, &asker_, {}));
  }
  // Why it was refused, as soon as it was asked for.
  template <class T>
  static base::Code code_of(const Answer<base::Result<T>>& answer) {
    EXPECT_TRUE(answer->has_value());
    return (*answer)->error().code;
  }
  // A terminal that runs, and of which the watchers have been told.
  void have(const std::string& id) { have(spec_of(id)); }
  void have(TerminalSpec spec) {
    const auto created = create(std::move(spec));
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
  // The connection breaks, and is there again.
  void lose_connection() {
    keeper_.hang_up();
    run_until([&] { return daemon_.times_back == 1; });
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
  // The newest line of the lifecycle log.
  std::string noted() {
    const auto lines = store_.log({.newest = 1});
    return lines->empty()
               ? ""
               : lines->front().subject + " " + lines->front().event + " " + lines->front().detail;
  }
  // What the terminal shows.
  static std::string shown(const TerminalEntry& entry) {
    return vt::text(entry.terminal->screen());
  }
  void print(const std::string& id, const std::string& text) {
    keeper_.print(id, text);
    run_until([&] { return shown(sessions_.terminals().at(id)).contains(text); });
  }

  Store store_ = Store::open(path(), {.busy_timeout = std::chrono::milliseconds(1)}).value();
  UserId user_ = store_.ensure_user("ann").value().id;
  TestDaemon daemon_;
  Sessions& sessions_ = daemon_.sessions;
  NotingWatcher asker_;
  NotingWatcher other_;
};

}  // namespace session
