// Ends terminals: closes living ones, discards restorable ones, and drops the oldest when a user
// has too many that ended.
//
// Invariants
// 1. As soon as it is asked to, the terminal cannot be found. Watchers learn that it is gone once
//    nothing of it is left: neither in the keeper nor in the store nor on the disk.
// 2. If the keeper could not close it, it is there again as before. If its program ended by then,
//    watchers learn that now.
// 3. `stop` must have been awaited before destruction.

#pragma once

#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/result.h"
#include "base/task_scope.h"
#include "keeper_client/client.h"
#include "session/history_saver.h"
#include "session/permit.h"
#include "session/row_saver.h"
#include "session/settings.h"
#include "session/terminals.h"
#include "session/watcher.h"

namespace session {

// What is left to say about a terminal that is gone.
struct Closed {
  TerminalId id{};
  std::optional<int> exit_code{};
};

class Closer {
 public:
  Closer(boost::asio::any_io_executor executor, keeper::KeeperClient& keeper, Terminals& terminals,
         RowSaver& rows, HistorySaver& histories, const Watchers& watchers,
         const Settings& settings)
      : keeper_(keeper),
        terminals_(terminals),
        rows_(rows),
        histories_(histories),
        watchers_(watchers),
        settings_(settings),
        tasks_(executor) {}
  boost::asio::awaitable<void> stop();

  // Returns once nothing of the terminal is left. A restorable one is discarded.
  boost::asio::awaitable<base::Result<Closed>> close(Reach reach, std::string id,
                                                     CloseReason reason, const Watcher* asker,
                                                     Permit permit = {});
  // Closes it in the background. From now on nobody finds it.
  void start_close(const TerminalEntry& entry, CloseReason reason);
  // If it still is restorable.
  void discard_restorable(const std::string& key);

  // Keeps the newest, as many as configured.
  void drop_oldest_exited(const UserId& user);
  void drop_oldest_restorable(const UserId& user);

 private:
  boost::asio::awaitable<base::Result<Closed>> finish_close(std::string key, CloseReason reason,
                                                            const Watcher* asker, Permit permit);
  Closed discard(const std::string& key, const Watcher* asker = nullptr,
                 const std::string& detail = {});
  // The terminal was taken out and has ended. Removes the rest of it, and tells.
  Closed bury(const TerminalEntry& gone, CloseReason reason, const Watcher* asker,
              const std::string& detail);
  // It could not be closed.
  void reopen(TerminalEntry& entry);

  keeper::KeeperClient& keeper_;
  Terminals& terminals_;
  RowSaver& rows_;
  HistorySaver& histories_;
  const Watchers& watchers_;
  const Settings& settings_;
  base::TaskScope tasks_;
};

}  // namespace session
