// A session's agent (docs/agents.md): a client that sends what it does, and is asked for things by
// extensions.
//
// Invariants
// 1. A session has at most one. What is meant for one that has left reaches nobody.
// 2. A call is answered once: by the agent that it was made to, or because that one has left.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/event.h"
#include "base/result.h"
#include "extension/instances.h"

namespace extension {

// What a session has for its agent.
struct AgentOffer {
  std::vector<std::pair<std::string, Tool>> tools;  // Each with its extension's name.
  std::set<std::string, std::less<>> events;        // That it should send.
};

// The agent's connection. Its functions are called in the middle of other work, so they must only
// take note.
class AgentClient {
 public:
  virtual void agent_offer(const std::string& session, const AgentOffer& offer) = 0;
  virtual void agent_call(const std::string& session, const std::string& id,
                          const std::string& name, const boost::json::object& params) = 0;
  virtual void agent_detached(const std::string& session, std::string_view reason) = 0;

 protected:
  ~AgentClient() = default;
};

// What it says of itself.
struct AgentInfo {
  std::string name;
  std::vector<std::string> calls;  // What it offers.
  boost::json::object state;
};

class Agent {
 public:
  explicit Agent(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  // Null if there is none.
  [[nodiscard]] AgentClient* client() const { return client_; }
  [[nodiscard]] bool is(const AgentClient& client) const { return client_ == &client; }
  [[nodiscard]] const std::string& name() const { return info_.name; }
  // As the runner gets it: null if there is none.
  [[nodiscard]] boost::json::value describe() const;

  void attach(AgentClient& client, AgentInfo info);
  void set_state(boost::json::object state) { info_.state = std::move(state); }
  void leave();

  // It must outlive the wait.
  boost::asio::awaitable<base::Result<boost::json::value>> call(std::string session,
                                                                std::string name,
                                                                boost::json::object params);
  void answered(const std::string& id, base::Result<boost::json::value> result);

 private:
  static constexpr std::size_t kMostCalls = 1000;
  struct Pending {
    explicit Pending(const boost::asio::any_io_executor& executor) : answered(executor) {}
    base::Event answered;
    base::Result<boost::json::value> result =
        base::fail(base::Code::unavailable, "the agent has left the session");
  };

  boost::asio::any_io_executor executor_;
  AgentClient* client_ = nullptr;
  AgentInfo info_;
  std::map<std::string, std::shared_ptr<Pending>> calls_;  // By id.
  std::uint64_t last_call_ = 0;
};

}  // namespace extension
