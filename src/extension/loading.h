// Opening, reloading and closing the extensions of sessions, and what happens to them when their
// worker or their runner dies or comes back.
//
// Invariants
// 1. Only one task at a time opens, reloads or closes a session (Change). Others wait until it is
//    done.
// 2. A session whose worker is gone is not open, holds nothing live and shows nothing. It is about
//    to be opened again, or its extensions are disabled.
// 3. What a runner that is older than this daemon says about its sessions replaces what was known.
// 4. A session that is closed has nothing left: no code, no resource, no process.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>

#include "base/task_scope.h"
#include "extension/extension_code.h"
#include "extension/extensions_by_session.h"
#include "extension/processes.h"
#include "extension/renewal.h"
#include "extension/runners.h"
#include "extension/settings.h"

namespace extension {

class Loading {
 public:
  // All of them outlive it; `tasks` must have been joined before it is destroyed.
  Loading(base::TaskScope& tasks, ExtensionsBySession& by_session, Runners& runners,
          Processes& processes, ExtensionCode code, session::Sessions& sessions,
          const Settings& settings);

  // --- sessions
  boost::asio::awaitable<void> open_all();
  // From now on, requests to the session wait until it is open.
  void open_soon(const SessionExtensionsPtr& extensions, std::string reason);
  // These return what went wrong; empty if nothing did.
  boost::asio::awaitable<std::string> reload(SessionExtensionsPtr extensions);
  boost::asio::awaitable<std::string> disable(SessionExtensionsPtr extensions,
                                              std::string extension);
  boost::asio::awaitable<void> close(SessionExtensionsPtr extensions, std::string reason);
  boost::asio::awaitable<void> close_all(std::string reason);
  void renamed(const session::SessionRow& session);
  // Waits until the session is settled, and for its runner too, which may be reconnecting or being
  // replaced.
  boost::asio::awaitable<void> recovered(SessionExtensionsPtr extensions);
  // The connection to the session's worker; null if it has none or cannot be reached.
  [[nodiscard]] std::shared_ptr<Rpc> connection_to(const SessionExtensions& extensions);

  // --- what runners say
  // One connects: a new one, or one that is older than this daemon and reports what it holds.
  void hello(Runner& runner, const std::shared_ptr<Rpc>& connection,
             const std::vector<boost::json::object>& sessions);
  // The runner has exited. Its sessions are not settled until `ended` has said what becomes of
  // them.
  void exited(Runner& runner);
  void ended(Runner& runner, const std::string& why);
  // `extension`: the one at fault; empty if unknown.
  void worker_ended(const SessionExtensionsPtr& extensions, const std::string& reason,
                    const std::string& detail, const std::string& extension = {});
  // Finishes a load that an earlier daemon began.
  void loaded(SessionExtensions& extensions, const boost::json::object& message);
  void registered(SessionExtensions& extensions, Instance& instance,
                  const boost::json::object& message);

 private:
  boost::asio::awaitable<void> meet_living_runners();
  boost::asio::awaitable<void> open(SessionExtensionsPtr extensions, std::string reason);
  boost::asio::awaitable<std::string> load_again(SessionExtensionsPtr extensions,
                                                 std::string reason);
  boost::asio::awaitable<std::string> reload_code(SessionExtensionsPtr extensions);
  boost::asio::awaitable<void> close_worker(SessionExtensionsPtr extensions, std::string reason);
  boost::asio::awaitable<void> close_resources(SessionExtensionsPtr extensions);
  void announced(SessionExtensions& extensions, const std::shared_ptr<Rpc>& connection,
                 const boost::json::object& what);
  void lose_resources(SessionExtensions& extensions, const std::string& why);
  [[nodiscard]] bool may_restart(SessionExtensions& extensions, const std::string& extension,
                                 const std::string& why);
  [[nodiscard]] boost::json::object describe(const SessionExtensions& extensions) const;

  base::TaskScope& tasks_;
  ExtensionsBySession& by_session_;
  Runners& runners_;
  Processes& processes_;
  ExtensionCode code_;
  session::Sessions& sessions_;
  const Settings& settings_;
  Renewal renewal_;
};

}  // namespace extension
