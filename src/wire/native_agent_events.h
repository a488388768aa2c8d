// Encodes the server's messages to the agent of a session.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/native_extension_events.h"

namespace wire::native {

// What a session has for its agent.
struct AgentOffer {
  std::string session;
  std::vector<ToolInfo> tools;
  std::vector<std::string> events;  // That extensions listen to.
};

[[nodiscard]] std::string agent_attached(const Answers& request, const AgentOffer& offer);
[[nodiscard]] std::string agent_offer(const AgentOffer& offer);
// `json`: an object or null.
[[nodiscard]] std::string agent_decision(const Answers& request, std::string_view session,
                                         std::string_view json);
// `params`: a JSON object.
[[nodiscard]] std::string agent_call(std::string_view session, std::string_view id,
                                     std::string_view name, std::string_view params);
[[nodiscard]] std::string agent_detached(const Answers& request, std::string_view session,
                                         std::string_view reason);

}  // namespace wire::native
