// Who has which terminals, and what becomes of them. This puts the parts together; callers talk to
// the part that they need.
//
// Invariants
// 1. Only the executor's thread uses it.
// 2. `stop` must have been awaited before destruction. The terminals live on in the keeper.

#pragma once

#include <chrono>
#include <functional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "keeper_client/client.h"
#include "session/closer.h"
#include "session/follower.h"
#include "session/history_saver.h"
#include "session/launcher.h"
#include "session/logins.h"
#include "session/names.h"
#include "session/preferences.h"
#include "session/recovery.h"
#include "session/row_saver.h"
#include "session/settings.h"
#include "session/store.h"
#include "session/terminals.h"
#include "session/watcher.h"

namespace session {

// Called before things happen. They may take their time.
struct Hooks {
  Launcher::BeforeCreate before_create;
  // The session's terminals still exist.
  std::function<boost::asio::awaitable<void>(SessionRow session)> before_close;
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
  void set_hooks(Hooks hooks);

  // Closes the session's terminals first. All watchers learn of those, `asker` too.
  boost::asio::awaitable<base::Status> close_session(Reach reach, std::string name,
                                                     const Watcher* asker, Permit permit = {});

  [[nodiscard]] Terminals& terminals() { return terminals_; }
  [[nodiscard]] const Terminals& terminals() const { return terminals_; }
  [[nodiscard]] Watchers& watchers() { return watchers_; }
  [[nodiscard]] Names& names() { return names_; }
  [[nodiscard]] const Names& names() const { return names_; }
  [[nodiscard]] Preferences& preferences() { return preferences_; }
  [[nodiscard]] Logins& logins() { return logins_; }
  [[nodiscard]] Launcher& launcher() { return launcher_; }
  [[nodiscard]] Closer& closer() { return closer_; }
  [[nodiscard]] RowSaver& rows() { return rows_; }
  [[nodiscard]] HistorySaver& histories() { return histories_; }

  void set_orphan_grace(std::chrono::milliseconds grace);
  void set_user_terminals(std::size_t most) { settings_.user_terminals = most; }
  void set_user_sessions(std::size_t most) { settings_.user_sessions = most; }
  // Turning it off deletes saved histories.
  void set_save_history(bool save) { histories_.turn(save); }
  void set_shell_integration(bool is_on) { settings_.shell_integration = is_on; }

 private:
  [[nodiscard]] Parts parts(keeper::KeeperClient& keeper);

  Settings settings_;  // Shared by the parts.
  Terminals terminals_;
  Watchers watchers_;
  RowSaver rows_;
  HistorySaver histories_;
  Logins logins_;
  Names names_;
  Preferences preferences_;
  Closer closer_;
  Follower follower_;
  Launcher launcher_;
  Recovery recovery_;
  std::function<boost::asio::awaitable<void>(SessionRow session)> before_close_;
};

}  // namespace session
