// The native protocol's messages of agents.

#include <boost/json/serialize.hpp>

#include "http/described_tools.h"
#include "http/native_client.h"
#include "wire/native_agent_events.h"

namespace http {

namespace json = boost::json;
namespace native = wire::native;
using boost::asio::awaitable;

namespace {

native::AgentOffer as_sent(const std::string& session, const extension::AgentOffer& offer) {
  return {.session = session,
          .tools = described_tools(offer.tools),
          .events = {offer.events.begin(), offer.events.end()}};
}

}  // namespace

// --- requests ---

awaitable<void> NativeClient::handle(Id id, native::AttachAgent request) {
  const auto session = session_of(request.session, id);
  if (!session) co_return;
  const auto offer = extensions_.agents().attach(*session, *this,
                                                 {.name = std::move(request.name),
                                                  .calls = std::move(request.calls),
                                                  .state = std::move(request.state)},
                                                 request.takeover);
  if (!offer) co_return refuse(offer.error(), id);
  send(native::agent_attached(id, as_sent(session->name, *offer)));
}

awaitable<void> NativeClient::handle(Id id, native::TellAgentState request) {
  if (const auto session = session_of(request.session, id))
    extensions_.agents().set_state(*session, *this, std::move(request.state));
  co_return;
}

awaitable<void> NativeClient::handle(Id id, native::TellAgentEvent request) {
  const auto session = session_of(request.session, id);
  if (!session) co_return;
  if (auto known = extensions_.agents().is_agent(*session, *this); !known)
    co_return refuse(known.error(), id);
  waiting_.spawn([this, id, session = *session, request = std::move(request),
                  call = begin_call(id)]() -> awaitable<void> {
    auto decided =
        co_await extensions_.agents().event(session, request.name, request.event, call.id);
    if (id) calls_.erase(id->json);
    if (decided)
      send(native::agent_decision(id, session.name, json::serialize(*decided)));
    else
      refuse(decided.error(), id);
  });
}

awaitable<void> NativeClient::handle(Id id, native::AnswerAgentCall request) {
  const auto session = session_of(request.session, id);
  if (!session) co_return;
  base::Result<json::value> result = std::move(request.result);
  if (request.error) result = base::fail(base::Code::invalid_argument, *request.error);
  extensions_.agents().answered(*session, *this, request.id, std::move(result));
}

awaitable<void> NativeClient::handle(Id id, native::DetachAgent request) {
  const auto session = session_of(request.session, id);
  if (!session) co_return;
  if (auto detached = extensions_.agents().detach(*session, *this); !detached)
    co_return refuse(detached.error(), id);
  send(native::agent_detached(id, session->name, "requested"));
}

// --- what the agent is told ---

void NativeClient::agent_offer(const std::string& session, const extension::AgentOffer& offer) {
  send(native::agent_offer(as_sent(session, offer)));
}

void NativeClient::agent_call(const std::string& session, const std::string& id,
                              const std::string& name, const json::object& params) {
  send(native::agent_call(session, id, name, json::serialize(params)));
}

void NativeClient::agent_detached(const std::string& session, std::string_view reason) {
  send(native::agent_detached(std::nullopt, session, reason));
}

}  // namespace http
