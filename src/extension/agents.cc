#include "extension/agents.h"

#include <algorithm>
#include <array>

namespace extension {

namespace json = boost::json;
using boost::asio::awaitable;
using session::SessionRow;

namespace {

// What only the daemon can know.
bool is_the_daemons(std::string_view event) {
  constexpr std::array<std::string_view, 5> kNames{
      "session_start", "session_before_reload", "session_shutdown", "session_switch", "user_bash"};
  return event.starts_with("terminal_") || std::ranges::find(kNames, event) != kNames.end();
}

base::Error not_its_agent(const SessionRow& session) {
  return {.code = base::Code::not_found,
          .what = "you are not the agent of session " + session.name,
          .advice = "Send agent_attach first."};
}

}  // namespace

base::Result<AgentOffer> Agents::attach(const SessionRow& session, AgentClient& client,
                                        AgentInfo info, bool takeover) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  Agent& agent = extensions->agent;
  if (AgentClient* const present = agent.client(); present != nullptr && present != &client) {
    if (!takeover)
      return base::fail(base::Code::already_exists,
                        "session " + session.name + " has an agent: " + agent.name(),
                        "End that one, or send takeover to take its place.");
    present->agent_detached(session.name, "takeover");
  }
  agent.attach(client, std::move(info));
  extensions->show_agent();
  tell_runner(*extensions);
  return extensions->offer();
}

base::Status Agents::detach(const SessionRow& session, AgentClient& client) {
  if (auto known = is_agent(session, client); !known) return known;
  end(by_session_.of(session));
  return {};
}

void Agents::leave(AgentClient& client) {
  for (const auto& [id, extensions] : by_session_.all())
    if (extensions->agent.is(client)) end(extensions);
}

void Agents::session_closed(const SessionRow& session) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  AgentClient* const client = extensions->agent.client();
  if (client == nullptr) return;
  end(extensions);
  client->agent_detached(session.name, "closed");
}

void Agents::end(const SessionExtensionsPtr& extensions) {
  extensions->agent.leave();
  extensions->show_agent();
  tell_runner(*extensions);
}

void Agents::set_state(const SessionRow& session, AgentClient& client, json::object state) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  if (!extensions->agent.is(client)) return;
  extensions->agent.set_state(std::move(state));
  tell_runner(*extensions);
}

void Agents::tell_runner(SessionExtensions& extensions) {
  if (const auto connection = loading_.connection_to(extensions))
    connection->notify("agent", {{"session", extensions.session.id.str()},
                                 {"agent", extensions.agent.describe()}});
}

base::Status Agents::is_agent(const SessionRow& session, const AgentClient& client) {
  if (by_session_.of(session)->agent.is(client)) return {};
  return base::fail(not_its_agent(session));
}

awaitable<base::Result<json::value>> Agents::event(SessionRow session, std::string name,
                                                   json::object data, std::string call) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  if (is_the_daemons(name))
    co_return base::fail(base::Code::invalid_argument, name + " is no event of an agent");
  auto decided = co_await events_.decide(extensions, std::move(name), std::move(data),
                                         std::move(call), Patience::all);
  if (decided && !decided->is_object()) co_return json::value(nullptr);
  co_return decided;
}

void Agents::answered(const SessionRow& session, AgentClient& client, const std::string& id,
                      base::Result<json::value> result) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  if (extensions->agent.is(client)) extensions->agent.answered(id, std::move(result));
}

}  // namespace extension
