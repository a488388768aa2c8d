// The golden frames of the native protocol's messages of agents.

#include "wire/native.h"
#include "wire/native_agent_events.h"
#include "wire/test_golden_native.h"

namespace wire::golden {
namespace {

using namespace native;

// --- a client's message, flat ---

struct Describe {
  json::object& out;

  void about(const char* type, const std::string& session) const {
    out["type"] = type;
    out["session"] = session;
  }
  void operator()(const AttachAgent& request) const {
    about("agent_attach", request.session);
    out["name"] = request.name;
    if (!request.calls.empty()) out["calls"] = json::value_from(request.calls);
    if (!request.state.empty()) out["state"] = request.state;
    if (request.takeover) out["takeover"] = true;
  }
  void operator()(const TellAgentState& request) const {
    about("agent_state", request.session);
    out["state"] = request.state;
  }
  void operator()(const TellAgentEvent& request) const {
    about("agent_event", request.session);
    out["name"] = request.name;
    if (!request.event.empty()) out["event"] = request.event;
  }
  void operator()(const AnswerAgentCall& request) const {
    about("agent_result", request.session);
    out["id"] = request.id;
    if (request.error)
      out["error"] = *request.error;
    else
      out["result"] = request.result;
  }
  void operator()(const DetachAgent& request) const { about("agent_detach", request.session); }
  template <class Other>
  void operator()(const Other&) const {
    ADD_FAILURE() << "no case of this file";
  }
};

json::value describe(const Request& request) {
  json::object message;
  std::visit(Describe{message}, request.operation);
  if (request.id) message["request"] = json::parse(request.id->json);
  return message;
}

// --- a server's message, encoded ---

AgentOffer offer_of(const json::object& message) {
  AgentOffer offer{.session = text(message, "session"),
                   .tools = {},
                   .events = json::value_to<std::vector<std::string>>(message.at("events"))};
  for (const json::value& tool : message.at("tools").as_array())
    offer.tools.push_back({.name = text(tool.as_object(), "name"),
                           .extension = text(tool.as_object(), "extension"),
                           .description = {},
                           .parameters = "null"});
  return offer;
}

std::string encode(const json::object& message) {
  const std::string type = text(message, "type");
  const std::string session = text(message, "session");
  const json::value* const id = message.if_contains("request");
  const Answers request =
      id == nullptr ? std::nullopt : std::optional(RequestId{json::serialize(*id)});
  if (type == "agent_attached") return agent_attached(request, offer_of(message));
  if (type == "agent_offer") return agent_offer(offer_of(message));
  if (type == "agent_decision")
    return agent_decision(request, session, json::serialize(message.at("decision")));
  if (type == "agent_detached") return agent_detached(request, session, text(message, "reason"));
  return agent_call(session, text(message, "id"), text(message, "name"),
                    json::serialize(message.at("params")));
}

TEST(GoldenTest, NativeAgents) {
  expect_cases(
      "native_agents.json", [](const auto& message) { return encode(message); },
      [](const auto& request) { return describe(request); });
}

}  // namespace
}  // namespace wire::golden
