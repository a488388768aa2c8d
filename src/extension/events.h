// Tells extensions what happens in their session, and asks them about what is going to happen.
//
// Invariants
// 1. An extension that must decide and does not is a no (decisions.h).
// 2. If the runner dies over a question, the next runner is asked: a command for a sandbox must not
//    run outside of it because of that.
// 3. Nothing waits longer than DecisionTimes allows for a runner that is connected, unless the caller
//    is patient: then it can cancel, and the runner limits the other handlers.

#pragma once

#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/clock.h"
#include "base/result.h"
#include "base/task_scope.h"
#include "extension/decision_times.h"
#include "extension/extensions_by_session.h"
#include "extension/loading.h"
#include "session/sessions.h"

namespace extension {

// Whose handlers may take as long as they need. Then the caller can cancel.
enum class Patience { nobody, guards, all };

class Events {
 public:
  // All of them outlive it; `tasks` must have been joined before it is destroyed.
  Events(boost::asio::any_io_executor executor, base::TaskScope& tasks,
         ExtensionsBySession& by_session, Loading& loading, session::Sessions& sessions,
         const base::Clock& clock);

  // What the handlers decided; null if there are none, or none in time. An error means no. `call`:
  // the id to cancel it by, if any.
  boost::asio::awaitable<base::Result<boost::json::value>> decide(
      SessionExtensionsPtr extensions, std::string name, boost::json::object data,
      std::string call = {}, Patience patience = Patience::nobody);
  // Does not wait for the handlers.
  void tell(const session::SessionRow& session, std::string name, boost::json::object data);
  void tell_terminal(const session::TerminalEntry& entry, std::string name);
  // A question of that call was answered or closed.
  void question_closed(const std::string& call) { times_.question_closed(call); }

  // Extensions may refuse the terminal, or change it.
  boost::asio::awaitable<base::Status> before_create(session::SessionRow session,
                                                     session::TerminalSpec& spec);
  // Asks the extensions of the session that the user leaves. `cancelled` if one says no.
  boost::asio::awaitable<base::Status> switch_session(session::SessionRow from, std::string to,
                                                      session::Scope scope = {});

 private:
  boost::asio::awaitable<base::Result<boost::json::value>> ask_handlers(
      SessionExtensionsPtr extensions, std::string name, boost::json::object data, std::string call,
      Patience patience);
  boost::asio::awaitable<void> until_late(SessionExtensionsPtr extensions, std::string call,
                                          Patience patience);

  boost::asio::any_io_executor executor_;
  base::TaskScope& tasks_;
  ExtensionsBySession& by_session_;
  Loading& loading_;
  session::Sessions& sessions_;
  DecisionTimes times_;
  std::uint64_t last_event_ = 0;
};

}  // namespace extension
