// Who has which terminals: joins the keeper, which knows what is alive, with the store, which knows
// what it is called.
//
// Invariants
// 1. Ids are unique over all users, and a terminal that is not the asker's is never handed out:
//    `permission_denied`.
// 2. What is in memory is the truth while the daemon runs. What the store refuses (locked, full,
//    damaged) is tried again until it is taken; no terminal waits for it.
// 3. A terminal that is being closed is not found by anyone, and its id is free when nothing of it
//    is left.
// 4. Before it is destroyed, `stop` has been awaited. The terminals live on in the keeper.
// 5. What the store knows and the keeper does not have is restorable: it has no terminal, and only
//    `listed`, `restore`, `rename`, `reorder` and `close` know of it.

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
#include "session/held.h"
#include "session/history_folder.h"
#include "session/login.h"
#include "session/permit.h"
#include "session/store.h"
#include "session/unsaved_file.h"
#include "terminal/keeper_client.h"
#include "terminal/terminal.h"

namespace session {

inline constexpr std::string_view kDefaultSession = "main";

enum class CloseReason { user_requested, process_exit, idle_timeout, error };

struct Settings {
  terminal::TerminalSettings terminal;
  std::uint64_t output_buffer = 256 * 1024;  // PTY_OUTPUT_BUFFER_SIZE
  std::uint64_t history = 256 * 1024;
  std::string shell = "/bin/sh";
  std::string home = "/";                // Where terminals start unless told.
  std::vector<std::string> environment;  // What every terminal starts with, NAME=value.
  std::size_t exited_kept = 100;         // For each user.
  std::size_t user_terminals = 1000;     // Running ones of each user.
  std::size_t user_sessions = 1000;
  // With it a user's programs run as the account of the same name, if its uid is not below this.
  std::optional<uid_t> least_account;
  keeper::Limits limits;               // Of each terminal.
  std::filesystem::path unsaved_file;  // Where what the store does not take is kept.
  std::filesystem::path history_dir;   // Where terminals' rows are saved,
  bool save_history = true;            // if they are.
  std::size_t restorable_kept = 100;   // For each user.
};

class Watcher;
struct TerminalSpec;

// Asked before things happen; whoever answers may take its time.
struct Hooks {
  // May change what the terminal runs, where, and with which environment; or refuse it.
  std::function<boost::asio::awaitable<base::Status>(SessionRow session, TerminalSpec& spec)>
      before_create;
  // Its terminals are still there.
  std::function<boost::asio::awaitable<void>(SessionRow session)> before_close;
};

struct TerminalSpec {
  std::optional<TerminalId> id;  // One is made up otherwise.
  std::string session{kDefaultSession};
  Lifetime lifetime = Lifetime::kept;
  vt::Size size;
  std::optional<std::string> name;
  std::string work_dir;              // Empty: the home directory.
  std::vector<std::string> command;  // Empty: the shell.
  std::vector<std::pair<std::string, std::string>> env;
  // The key of the restorable terminal that this one takes the place of, with its history.
  std::optional<std::string> replaces;
  const Watcher* asked_by = nullptr;  // Gets the result, and so no event.
  Permit permit{};
};

struct Label;

// Told of everything that happens to a user's terminals. Called from within the work: only take
// note.
class Watcher {
 public:
  virtual void terminal_created(const Held& held) = 0;
  virtual void terminal_renamed(const Held& held) = 0;
  virtual void terminals_reordered(const std::vector<const Held*>& order) = 0;
  virtual void terminal_exited(const Held& held) = 0;
  virtual void terminal_closed(const Held& held, CloseReason reason) = 0;
  // It was lost with its keeper, and can be restored.
  virtual void terminal_restorable(const Held& held) { terminal_closed(held, CloseReason::error); }
  // Somebody looks at it again, or the last one who did has left.
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
  std::size_t orphaned = 0;  // Running, without.
  std::size_t exited = 0;
  std::size_t viewers = 0;
};

class Sessions {
 public:
  Sessions(boost::asio::any_io_executor executor, terminal::KeeperClient& keeper, Store& store,
           Settings settings);
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

  // Takes over what the keeper holds. A terminal of which nobody knows whose it is goes to
  // `unknown_owner`.
  boost::asio::awaitable<base::Status> recover(UserId unknown_owner);
  boost::asio::awaitable<void> stop();
  // The keeper's events.
  void child_exited(const terminal::ChildId& id, const terminal::ChildExit& exit);
  boost::asio::awaitable<void> look_again();

  void set_hooks(Hooks hooks) { hooks_ = std::move(hooks); }
  void watch(const UserId& user, Watcher& watcher);
  void watch_all(Watcher& watcher);
  void unwatch(Watcher& watcher);

  boost::asio::awaitable<base::Result<Held*>> create(UserId user, TerminalSpec spec);
  // Makes a restorable one again, with its history above what its program prints. In the size it
  // had unless told.
  boost::asio::awaitable<base::Result<Held*>> restore(UserId user, std::string id,
                                                      std::optional<std::uint16_t> rows,
                                                      std::optional<std::uint16_t> cols,
                                                      const Watcher* asked_by, Permit permit);
  // The key of the restorable terminal of a session that a new one of that id and name stands for:
  // the one of that id, else the first of that name, else the first that has none.
  [[nodiscard]] std::optional<std::string> left_behind(
      const UserId& user, const std::string& session, const std::string& id,
      const std::optional<std::string>& name) const;
  // The user's own; `not_found` otherwise. Valid until the next co_await.
  [[nodiscard]] base::Result<Held*> find(const UserId& user, std::string_view id);
  // In their order; those that end with their connection are left out.
  [[nodiscard]] std::vector<const Held*> list(const UserId& user) const;
  // Those, and the restorable ones between them.
  [[nodiscard]] std::vector<const Held*> listed(const UserId& user) const;
  // What the programs of the user's terminals do at the moment, by key, or those of one session.
  // The kernel is asked for each, so everybody else has their turns between.
  using Doings = std::map<std::string, terminal::Doing>;
  boost::asio::awaitable<Doings> doings(UserId user, std::optional<std::string> session);
  [[nodiscard]] base::Status rename(const UserId& user, std::string_view id, std::string name);
  // Returns when the order is saved and the others have been told.
  boost::asio::awaitable<base::Status> reorder(UserId user, std::vector<std::string> ids,
                                               const Watcher* asked_by);
  // Returns when nothing of it is left. A restorable one is discarded.
  boost::asio::awaitable<base::Status> close(UserId user, std::string id, CloseReason reason,
                                             Permit permit = {});
  // Closes it without anyone waiting for it. From here on nobody finds it.
  void start_close(const Held& held, CloseReason reason);

  // The user's sessions, oldest first.
  [[nodiscard]] std::vector<SessionRow> sessions(const UserId& user) const;
  [[nodiscard]] std::vector<SessionRow> all_sessions() const;
  [[nodiscard]] const SessionRow* find_session(const SessionId& id) const;
  // Where its terminals start unless told.
  [[nodiscard]] std::string directory_of(const SessionRow& session);
  // Whom the user's programs run as, and what they start with.
  [[nodiscard]] base::Result<Login> login_of(const UserId& user);
  // How many terminals each of the user's sessions has; one without any is not there.
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
  // Closes its terminals first.
  boost::asio::awaitable<base::Status> close_session(UserId user, std::string name,
                                                     Permit permit = {});

  // Puts a line about the terminal into the lifecycle log.
  void note(const Held& held, std::string_view event, std::string detail = {});
  [[nodiscard]] Counts counts() const;
  void set_orphan_grace(std::chrono::milliseconds grace);
  void set_user_terminals(std::size_t most) { settings_.user_terminals = most; }
  void set_user_sessions(std::size_t most) { settings_.user_sessions = most; }
  // Off: what was saved is removed.
  void set_save_history(bool save);
  // How many terminals were not created because their user had too many.
  [[nodiscard]] std::uint64_t terminals_refused() const { return terminals_refused_; }

 private:
  // The key of the user's terminal of that id, there or not. Nothing that is another's shows in it.
  [[nodiscard]] std::string key_of(const UserId& user, std::string_view id) const;

  [[nodiscard]] terminal::SpawnRequest spawn_request(const Held& held, const TerminalSpec& spec,
                                                     Login login);
  [[nodiscard]] base::Status check_account(const terminal::ChildInfo& info) const;
  boost::asio::awaitable<base::Status> make_room_for(UserId user, std::string key);
  void follow(Held& held, terminal::AttachedChild child,
              std::optional<terminal::Preamble> preamble = {});
  boost::asio::awaitable<base::Status> adopt(terminal::ChildInfo info);
  boost::asio::awaitable<void> forget_lost(std::string id);
  [[nodiscard]] base::Result<Held*> find_listed(const UserId& user, std::string_view id);
  [[nodiscard]] TerminalRow row_of(const Held& held) const;

  // sessions_restore.cc
  void offer_restorable(const std::set<std::string>& alive);
  void drop_oldest_restorable(const UserId& user);
  boost::asio::awaitable<void> while_being_restored(std::string id);
  void discard(const std::string& id, const std::string& detail = {});
  void discard_restorable(const std::string& id);
  boost::asio::awaitable<base::Result<terminal::AttachedChild>> spawn_again(std::string id,
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
  [[nodiscard]] Held remembered(const terminal::ChildInfo& info);
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
    const auto watchers = watchers_;  // A call may end another watcher's watch.
    for (const auto& [whose, watcher] : watchers)
      if (!whose || *whose == user) call(*watcher);
  }

  boost::asio::any_io_executor executor_;
  terminal::KeeperClient& keeper_;
  Store& store_;
  Settings settings_;
  base::TaskScope tasks_;
  HeldTerminals terminals_;
  UserId unknown_owner_;
  std::map<UserId, std::string> users_;  // Those the store has told of, with their names.
  std::map<std::pair<UserId, std::string>, SessionRow> sessions_;
  std::map<SessionId, std::pair<UserId, std::string>> session_keys_;
  std::map<std::string, TerminalRow> rows_;  // What the store knew at the start.
  std::vector<std::pair<std::optional<UserId>, Watcher*>> watchers_;  // None: of all users.
  Hooks hooks_;
  boost::asio::steady_timer closed_;  // Never expires; cancelled when a terminal is gone.
  std::set<std::string> unsaved_;
  UnsavedFile unsaved_file_;
  bool is_recovered_ = false;
  bool store_is_locked_ = false;  // When it was last asked.
  boost::asio::steady_timer retry_;
  std::chrono::milliseconds retry_pause_{0};
  std::uint64_t terminals_refused_ = 0;
  HistoryFolder histories_;
  std::set<std::string> changed_histories_;  // Those with output that is not saved,
  std::set<std::string> saving_histories_;   // and those that are being saved.
  base::MonotonicTime changed_since_{};
  boost::asio::steady_timer history_changed_;  // Never expires; cancelled when there is one.
  bool histories_fail_ = false;                // When it was last tried.
};

}  // namespace session
