// Who has which terminals. Joins the keeper, which knows what is alive, with the store, which knows
// what it is called.
//
// Invariants
// 1. Keys are unique over all users; ids are unique per user. Another user's terminal is never
//    handed out: it is `not_found`.
// 2. While the daemon runs, memory is the truth. Writes that the store refuses (locked, full,
//    damaged) are retried until they succeed; no terminal waits for them.
// 3. Nobody finds a terminal that is being closed. Its id is free once nothing of it is left.
// 4. `stop` must have been awaited before destruction. The terminals live on in the keeper.
// 5. A terminal that the store knows and the keeper does not have is restorable: `Held::terminal`
//    is null, and only `listed`, `restore`, `rename`, `reorder` and `close` find it.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/result.h"
#include "base/task_scope.h"
#include "keeper_client/client.h"
#include "session/held.h"
#include "session/history_folder.h"
#include "session/login.h"
#include "session/permit.h"
#include "session/store.h"
#include "session/unsaved_file.h"
#include "terminal/terminal.h"

namespace session {

inline constexpr std::string_view kDefaultSession = "main";

enum class CloseReason { user_requested, process_exit, idle_timeout, error };

struct Settings {
  terminal::TerminalSettings terminal;
  std::uint64_t output_buffer = 256 * 1024;  // PTY_OUTPUT_BUFFER_SIZE
  std::uint64_t history = 256 * 1024;
  std::string shell = "/bin/sh";
  std::string home = "/";                // Default directory of terminals.
  std::vector<std::string> environment;  // Of every terminal, as NAME=value.
  std::size_t exited_kept = 100;         // Per user.
  std::size_t user_terminals = 1000;     // Running terminals per user.
  std::size_t user_sessions = 1000;      // Per user.
  // If set, a user's programs run as the account with the user's name. Its uid must not be lower.
  std::optional<uid_t> least_account;
  keeper::Limits limits;               // Of each terminal.
  std::filesystem::path unsaved_file;  // Keeps rows that the store refuses.
  std::filesystem::path history_dir;
  bool save_history = true;
  std::size_t restorable_kept = 100;  // Per user.
};

class Watcher;
struct TerminalSpec;

// Called before things happen. They may take their time.
struct Hooks {
  // May refuse the terminal, or change its command, directory and environment.
  std::function<boost::asio::awaitable<base::Status>(SessionRow session, TerminalSpec& spec)>
      before_create;
  // The session's terminals still exist.
  std::function<boost::asio::awaitable<void>(SessionRow session)> before_close;
};

struct TerminalSpec {
  std::optional<TerminalId> id;  // None: a random one.
  std::string session{kDefaultSession};
  Lifetime lifetime = Lifetime::kept;
  vt::Size size;
  std::optional<std::string> name;
  std::string work_dir;              // Empty: the home directory.
  std::vector<std::string> command;  // Empty: the shell.
  std::vector<std::pair<std::string, std::string>> env;
  // The key of a restorable terminal. The new one takes over its place and history.
  std::optional<std::string> replaces;
  const Watcher* asked_by = nullptr;  // Gets the result, so it gets no event.
  Permit permit{};
};

struct Label;

// Told of everything that happens to a user's terminals. Called in the middle of the work: only
// take note.
class Watcher {
 public:
  virtual void terminal_created(const Held& held) = 0;
  virtual void terminal_renamed(const Held& held) = 0;
  virtual void terminals_reordered(const std::vector<const Held*>& order) = 0;
  virtual void terminal_exited(const Held& held) = 0;
  virtual void terminal_closed(const Held& held, CloseReason reason) = 0;
  // The terminal was lost with its keeper and can be restored.
  virtual void terminal_restorable(const Held& held) { terminal_closed(held, CloseReason::error); }
  // The first viewer has come, or the last one has left.
  virtual void terminal_attached(const Held&) {}
  virtual void terminal_orphaned(const Held&) {}
  virtual void session_created(const SessionRow& session) = 0;
  virtual void session_renamed(const SessionRow& session, const std::string& old_name) = 0;
  virtual void session_closed(const SessionRow& session) = 0;

 protected:
  ~Watcher() = default;
};

struct Counts {
  std::size_t sessions = 0;
  std::size_t active = 0;    // Running, with a viewer.
  std::size_t orphaned = 0;  // Running, without a viewer.
  std::size_t exited = 0;
  std::size_t viewers = 0;
};

class Sessions {
 public:
  Sessions(boost::asio::any_io_executor executor, keeper::KeeperClient& keeper, Store& store,
           Settings settings);
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

  // Takes over what the keeper holds. Terminals with no known owner go to `unknown_owner`.
  boost::asio::awaitable<base::Status> recover(UserId unknown_owner);
  boost::asio::awaitable<void> stop();
  // The keeper's events.
  void child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit);
  boost::asio::awaitable<void> look_again();

  void set_hooks(Hooks hooks) { hooks_ = std::move(hooks); }
  void watch(const UserId& user, Watcher& watcher);
  void watch_all(Watcher& watcher);
  void unwatch(Watcher& watcher);

  boost::asio::awaitable<base::Result<Held*>> create(UserId user, TerminalSpec spec);
  // Starts a restorable terminal again, with its history above the new output. By default it has
  // its old size.
  boost::asio::awaitable<base::Result<Held*>> restore(UserId user, std::string id,
                                                      std::optional<std::uint16_t> rows,
                                                      std::optional<std::uint16_t> cols,
                                                      const Watcher* asked_by, Permit permit);
  // The key of the restorable terminal in `session` that a new terminal with this id and name
  // replaces: the one with the same id, else the first with the same name, else the first unnamed.
  [[nodiscard]] std::optional<std::string> left_behind(
      const UserId& user, const std::string& session, const std::string& id,
      const std::optional<std::string>& name) const;
  // Finds the user's own terminals; others are `not_found`. Valid until the next co_await.
  [[nodiscard]] base::Result<Held*> find(const UserId& user, std::string_view id);
  // In order, without those that end with their connection.
  [[nodiscard]] std::vector<const Held*> list(const UserId& user) const;
  // The same, with the restorable ones in their places.
  [[nodiscard]] std::vector<const Held*> listed(const UserId& user) const;
  // What runs in the user's terminals, or in those of one session, by key. This asks the kernel for
  // each terminal, so it yields to other work in between.
  using Doings = std::map<std::string, terminal::Doing>;
  boost::asio::awaitable<Doings> doings(UserId user, std::optional<std::string> session);
  [[nodiscard]] base::Status rename(const UserId& user, std::string_view id, std::string name);
  // Returns once the order is saved and the watchers have been told.
  boost::asio::awaitable<base::Status> reorder(UserId user, std::vector<std::string> ids,
                                               const Watcher* asked_by);
  // Returns once nothing of the terminal is left. A restorable one is discarded.
  boost::asio::awaitable<base::Status> close(UserId user, std::string id, CloseReason reason,
                                             Permit permit = {});
  // Closes it in the background. From now on nobody finds it.
  void start_close(const Held& held, CloseReason reason);

  // The user's sessions, oldest first.
  [[nodiscard]] std::vector<SessionRow> sessions(const UserId& user) const;
  [[nodiscard]] std::vector<SessionRow> all_sessions() const;
  [[nodiscard]] const SessionRow* find_session(const SessionId& id) const;
  // The default directory of its terminals.
  [[nodiscard]] std::string directory_of(const SessionRow& session);
  // The account and environment of the user's programs.
  [[nodiscard]] base::Result<Login> login_of(const UserId& user);
  // How many terminals each of the user's sessions has. Leaves out sessions without any.
  struct Count {
    std::size_t living = 0;
    std::size_t restorable = 0;
  };
  [[nodiscard]] std::map<SessionId, Count> count_terminals(const UserId& user) const;
  [[nodiscard]] base::Result<SessionRow> find_session(const UserId& user, const std::string& name);
  [[nodiscard]] base::Result<SessionRow> create_session(const UserId& user, const std::string& name,
                                                        SessionKind kind,
                                                        const std::string& cwd = {},
                                                        std::optional<Isolation> isolation = {});
  [[nodiscard]] base::Status rename_session(const UserId& user, const std::string& name,
                                            const std::string& new_name);
  // Closes the session's terminals first.
  boost::asio::awaitable<base::Status> close_session(UserId user, std::string name,
                                                     Permit permit = {});

  // Writes a line about the terminal to the lifecycle log.
  void note(const Held& held, std::string_view event, std::string detail = {});
  [[nodiscard]] Counts counts() const;
  void set_orphan_grace(std::chrono::milliseconds grace);
  void set_user_terminals(std::size_t most) { settings_.user_terminals = most; }
  void set_user_sessions(std::size_t most) { settings_.user_sessions = most; }
  // Turning it off deletes saved histories.
  void set_save_history(bool save);
  // How many terminals were refused because their user had too many.
  [[nodiscard]] std::uint64_t terminals_refused() const { return terminals_refused_; }

 private:
  // The key of the user's terminal with that id, whether it exists or not. Reveals nothing about
  // other users' terminals.
  [[nodiscard]] std::string key_of(const UserId& user, std::string_view id) const;

  [[nodiscard]] keeper::SpawnRequest spawn_request(const Held& held, const TerminalSpec& spec,
                                                   Login login);
  [[nodiscard]] base::Status check_account(const keeper::ChildInfo& info) const;
  boost::asio::awaitable<base::Status> make_room_for(UserId user, std::string key);
  void follow(Held& held, keeper::AttachedChild child,
              std::optional<terminal::Preamble> preamble = {});
  boost::asio::awaitable<base::Status> adopt(keeper::ChildInfo info);
  boost::asio::awaitable<void> forget_lost(std::string id);
  [[nodiscard]] base::Result<Held*> find_listed(const UserId& user, std::string_view id);
  [[nodiscard]] TerminalRow row_of(const Held& held) const;

  // sessions_restore.cc
  void offer_restorable(const std::set<std::string>& alive);
  void drop_oldest_restorable(const UserId& user);
  boost::asio::awaitable<void> while_being_restored(std::string id);
  void discard(const std::string& id, const std::string& detail = {});
  void discard_restorable(const std::string& id);
  boost::asio::awaitable<base::Result<keeper::AttachedChild>> spawn_again(std::string id,
                                                                          vt::Size size,
                                                                          Login login,
                                                                          std::string& trouble);
  boost::asio::awaitable<terminal::Preamble> preamble_of(TerminalId id, int cols,
                                                         std::string trouble);

  // sessions_history.cc
  void begin_saving_histories();
  boost::asio::awaitable<void> save_histories();
  boost::asio::awaitable<std::chrono::nanoseconds> save_round();
  boost::asio::awaitable<void> save_history(std::string id);
  boost::asio::awaitable<std::chrono::nanoseconds> save_batch(
      std::vector<HistoryFolder::Entry> batch);
  boost::asio::awaitable<void> save_last_histories();
  [[nodiscard]] std::optional<HistoryFolder::Entry> copy_history(const std::string& id);
  [[nodiscard]] std::optional<HistoryFolder::Entry> copy_history(Held& held);
  void history_changed(const std::string& id);
  boost::asio::awaitable<base::Status> finish_close(std::string id, CloseReason reason,
                                                    Permit permit);
  [[nodiscard]] Held remembered(const keeper::ChildInfo& info);
  void put_session(const SessionRow& row);
  void drop_session(const SessionRow& row);
  void take_label(Held& held, const Label& label);
  void learn_users();
  [[nodiscard]] std::string user_name(const UserId& user);
  void exited(terminal::Terminal& terminal);
  void looked_at(const terminal::Terminal& terminal);
  void drop_oldest_exited(const UserId& user);
  void save(const std::string& id);
  void save_later(const std::string& id);
  boost::asio::awaitable<void> save_positions(std::vector<TerminalId> moved);
  [[nodiscard]] bool try_to_save(const std::string& id);
  void save_unsaved();
  void learn_unsaved();
  void keep_unsaved();
  void save_again();
  void save_all();
  [[nodiscard]] base::Status write_row(const std::string& id);
  [[nodiscard]] base::Status within_limit(const UserId& user);
  [[nodiscard]] int next_position(const UserId& user) const;
  template <class Call>
  void tell(const UserId& user, Call call) {
    const auto watchers = watchers_;  // A call may remove another watcher.
    for (const auto& [whose, watcher] : watchers)
      if (!whose || *whose == user) call(*watcher);
  }

  boost::asio::any_io_executor executor_;
  keeper::KeeperClient& keeper_;
  Store& store_;
  Settings settings_;
  base::TaskScope tasks_;
  HeldTerminals terminals_;
  UserId unknown_owner_;
  std::map<UserId, std::string> users_;  // The users known from the store, with their names.
  std::map<std::pair<UserId, std::string>, SessionRow> sessions_;
  std::map<SessionId, std::pair<UserId, std::string>> session_keys_;
  std::map<std::string, TerminalRow> rows_;  // What the store knew at the start.
  std::vector<std::pair<std::optional<UserId>, Watcher*>> watchers_;  // None: all users.
  Hooks hooks_;
  boost::asio::steady_timer closed_;  // Never expires; cancelled to signal that a terminal is gone.
  std::set<std::string> unsaved_;
  UnsavedFile unsaved_file_;
  bool is_recovered_ = false;
  bool store_is_locked_ = false;  // When last used.
  boost::asio::steady_timer retry_;
  std::chrono::milliseconds retry_pause_{0};
  std::uint64_t terminals_refused_ = 0;
  HistoryFolder histories_;
  std::set<std::string> changed_histories_;  // With unsaved output.
  std::set<std::string> saving_histories_;   // Being saved.
  base::MonotonicTime changed_since_{};
  boost::asio::steady_timer history_changed_;  // Never expires; cancelled to signal unsaved output.
  bool histories_fail_ = false;                // When last tried.
};

}  // namespace session
