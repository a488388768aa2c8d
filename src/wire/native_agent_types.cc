// Parses messages of agents.

#include <array>

#include <boost/json/serialize.hpp>

#include "base/id.h"
#include "wire/limits.h"
#include "wire/native_fields.h"
#include "wire/native_types.h"

namespace wire::native {
namespace {

namespace json = boost::json;
using Kind = Fault::Kind;

std::string id(Message& message, std::string_view key) {
  return message.id(key, Need::required).value_or("");
}

json::object state(Message& message, Need need) {
  json::object state = object(message, "state");
  if (need == Need::required && message.data("state") == nullptr)
    message.fail(Kind::invalid_field, "state is missing");
  if (!state.empty() && json::serialize(state).size() > kMaxAgentState)
    message.fail(Kind::invalid_field,
                 "state must have at most " + std::to_string(kMaxAgentState) + " bytes of JSON");
  return state;
}

std::vector<std::string> calls(Message& message) {
  std::vector<std::string> calls;
  const json::array* const names = list(message, "calls", kMaxAgentCalls);
  if (names == nullptr) return calls;
  for (const json::value& name : *names)
    if (auto call = message.id_of("calls", name)) calls.push_back(std::move(*call));
  return calls;
}

Operation parse_agent_attach(Message& message) {
  return AttachAgent{.session = id(message, "session"),
                     .name = message.name("name", Need::required).value_or(""),
                     .calls = calls(message),
                     .state = state(message, Need::optional),
                     .takeover = message.flag("takeover")};
}

Operation parse_agent_state(Message& message) {
  return TellAgentState{.session = id(message, "session"), .state = state(message, Need::required)};
}

Operation parse_agent_event(Message& message) {
  return TellAgentEvent{.session = id(message, "session"),
                        .name = id(message, "name"),
                        .event = object(message, "event")};
}

Operation parse_agent_result(Message& message) {
  const json::value* const result = message.data("result");
  return AnswerAgentCall{.session = id(message, "session"),
                         .id = id(message, "id"),
                         .result = result == nullptr ? json::value() : *result,
                         .error = message.text("error", Need::optional)};
}

Operation parse_agent_detach(Message& message) {
  return DetachAgent{.session = id(message, "session")};
}

constexpr std::array kTypes{
    Type{"agent_attach", parse_agent_attach}, Type{"agent_state", parse_agent_state},
    Type{"agent_event", parse_agent_event},   Type{"agent_result", parse_agent_result},
    Type{"agent_detach", parse_agent_detach},
};

}  // namespace

std::span<const Type> agent_types() {
  return kTypes;
}

}  // namespace wire::native
