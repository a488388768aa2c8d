// What a user's sessions and terminals are called, and in which order the terminals are.
//
// Invariants
// 1. A user's sessions have different names. Each session is in the store before anybody sees it.
// 2. A terminal's entry has its session's current name.
// 3. Positions are per user, over all of the user's sessions.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "session/row_saver.h"
#include "session/settings.h"
#include "session/store.h"
#include "session/terminals.h"
#include "session/watcher.h"

namespace session {

class Names {
 public:
  Names(Store& store, Terminals& terminals, RowSaver& rows, const Watchers& watchers,
        const Settings& settings)
      : store_(store),
        terminals_(terminals),
        rows_(rows),
        watchers_(watchers),
        settings_(settings) {}

  // The sessions in reach, and those of terminals in reach; oldest first.
  [[nodiscard]] std::vector<SessionRow> sessions(const Reach& reach) const;
  [[nodiscard]] std::vector<SessionRow> all_sessions() const;
  [[nodiscard]] std::size_t count() const { return sessions_.size(); }
  [[nodiscard]] const SessionRow* find_session(const SessionId& id) const;
  [[nodiscard]] base::Result<SessionRow> find_session(const Reach& reach,
                                                      const std::string& name) const;
  // The same, but creates the default session when it is first needed.
  [[nodiscard]] base::Result<SessionRow> find_or_default(const Reach& reach,
                                                         const std::string& name);
  // The same, or the session of a terminal in reach. Only to look at.
  [[nodiscard]] base::Result<SessionRow> find_seen(const Reach& reach, const std::string& name);
  // Where those begin who name no session: the default session or, if that is out of reach, the
  // first one in reach.
  [[nodiscard]] std::string home(const Reach& reach) const;
  [[nodiscard]] base::Result<SessionRow> create_session(const Reach& reach, const std::string& name,
                                                        SessionKind kind,
                                                        const std::string& cwd = {},
                                                        std::optional<Isolation> isolation = {},
                                                        const Watcher* asker = nullptr);
  [[nodiscard]] base::Status rename_session(const Reach& reach, const std::string& name,
                                            const std::string& new_name, const Watcher* asker);
  // Its terminals are gone.
  [[nodiscard]] base::Status remove_session(const SessionId& id, const Watcher* asker);
  // The store has these sessions of the user.
  void learn_sessions(const UserId& user);

  // An empty name takes it away.
  [[nodiscard]] base::Result<const TerminalEntry*> rename(const Reach& reach, std::string_view id,
                                                          std::string name, const Watcher* asker);
  // Puts these first, in this order, in the places of the terminals in reach. Returns once the
  // order is saved and the watchers know it.
  boost::asio::awaitable<base::Status> reorder(Reach reach, std::vector<std::string> ids,
                                               const Watcher* asker);

 private:
  // The sessions of the terminals in reach.
  [[nodiscard]] std::set<SessionId> seen(const Reach& reach) const;
  void put(const SessionRow& row);
  void drop(const SessionRow& row);

  Store& store_;
  Terminals& terminals_;
  RowSaver& rows_;
  const Watchers& watchers_;
  const Settings& settings_;
  std::map<std::pair<UserId, std::string>, SessionRow> sessions_;
  std::map<SessionId, std::pair<UserId, std::string>> keys_;
};

}  // namespace session
