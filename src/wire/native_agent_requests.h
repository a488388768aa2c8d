// What a client of the native protocol may ask and tell as the agent of a session (docs/agents.md).

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace wire::native {

struct AttachAgent {
  std::string session;
  std::string name;
  std::vector<std::string> calls;  // What it offers.
  boost::json::object state;
  bool takeover = false;
  friend bool operator==(const AttachAgent&, const AttachAgent&) = default;
};

struct TellAgentState {
  std::string session;
  boost::json::object state;
  friend bool operator==(const TellAgentState&, const TellAgentState&) = default;
};

struct TellAgentEvent {
  std::string session;
  std::string name;
  boost::json::object event;
  friend bool operator==(const TellAgentEvent&, const TellAgentEvent&) = default;
};

// Answers an `agent_call`.
struct AnswerAgentCall {
  std::string session;
  std::string id;
  boost::json::value result;
  std::optional<std::string> error;
  friend bool operator==(const AnswerAgentCall&, const AnswerAgentCall&) = default;
};

struct DetachAgent {
  std::string session;
  friend bool operator==(const DetachAgent&, const DetachAgent&) = default;
};

}  // namespace wire::native
