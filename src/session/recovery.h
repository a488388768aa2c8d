// Joins the keeper, which knows what is alive, with the store, which knows what it is called: when
// the daemon starts, and after the connection to the keeper was lost.
//
// Invariants
// 1. Every terminal that the keeper holds gets an owner: its label's, even if the store was lost.
// 2. A terminal that the store knows and the keeper does not have is restorable.
// 3. Before anything is done about lost terminals, all of them are hidden: a client that reconnects
//    must not find one that is dead.
// 4. `stop` must have been awaited before destruction.

#pragma once

#include <map>
#include <set>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "base/task_scope.h"
#include "keeper_client/client.h"
#include "session/closer.h"
#include "session/follower.h"
#include "session/history_saver.h"
#include "session/logins.h"
#include "session/names.h"
#include "session/parts.h"
#include "session/settings.h"
#include "session/store.h"
#include "session/terminals.h"
#include "session/watcher.h"

namespace session {

struct Label;

class Recovery {
 public:
  Recovery(boost::asio::any_io_executor executor, Store& store, const Parts& parts)
      : store_(store), parts_(parts), tasks_(executor) {}
  boost::asio::awaitable<void> stop();

  // Takes over what the keeper holds. Terminals with no known owner go to `unknown_owner`.
  boost::asio::awaitable<base::Status> recover(UserId unknown_owner);
  // Called after a lost connection to the keeper. Exits in the meantime were not announced, and a
  // new keeper knows nothing of the old one's terminals, which died with it.
  boost::asio::awaitable<void> look_again();

 private:
  void learn_from_store();
  [[nodiscard]] base::Status check_account(const keeper::ChildInfo& info) const;
  boost::asio::awaitable<base::Status> adopt(keeper::ChildInfo info);
  boost::asio::awaitable<void> adopt_or_log(keeper::ChildInfo info);
  [[nodiscard]] TerminalEntry remembered(const keeper::ChildInfo& info);
  void take_label(TerminalEntry& entry, const Label& label);
  void offer_restorable(const std::set<std::string>& alive);
  boost::asio::awaitable<void> forget_lost(std::string key);

  Store& store_;
  Parts parts_;
  UserId unknown_owner_;
  std::map<std::string, TerminalRow> known_;  // What the store knew at the start.
  base::TaskScope tasks_;
};

}  // namespace session
