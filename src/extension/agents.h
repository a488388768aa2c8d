// What clients do as agents of sessions (docs/agents.md). Each session's own is in agent.h.

#pragma once

#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"
#include "extension/agent.h"
#include "extension/events.h"
#include "extension/extensions_by_session.h"
#include "extension/loading.h"

namespace extension {

class Agents {
 public:
  // All of them outlive it.
  Agents(ExtensionsBySession& by_session, Loading& loading, Events& events)
      : by_session_(by_session), loading_(loading), events_(events) {}

  base::Result<AgentOffer> attach(const session::SessionRow& session, AgentClient& client,
                                  AgentInfo info, bool takeover);
  base::Status detach(const session::SessionRow& session, AgentClient& client);
  // From now on it is nobody's agent: its connection has ended.
  void leave(AgentClient& client);
  void session_closed(const session::SessionRow& session);

  [[nodiscard]] base::Status is_agent(const session::SessionRow& session,
                                      const AgentClient& client);
  void set_state(const session::SessionRow& session, AgentClient& client,
                 boost::json::object state);
  // What the handlers decided; null if they have no objection. An error means no. There is no time
  // limit; `call` is the id to cancel it by.
  boost::asio::awaitable<base::Result<boost::json::value>> event(session::SessionRow session,
                                                                 std::string name,
                                                                 boost::json::object data,
                                                                 std::string call);
  void answered(const session::SessionRow& session, AgentClient& client, const std::string& id,
                base::Result<boost::json::value> result);

 private:
  void end(const SessionExtensionsPtr& extensions);
  void tell_runner(SessionExtensions& extensions);

  ExtensionsBySession& by_session_;
  Loading& loading_;
  Events& events_;
};

}  // namespace extension
