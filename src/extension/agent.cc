#include "extension/agent.h"

#include <algorithm>

#include <boost/json/value_from.hpp>

namespace extension {

namespace json = boost::json;
using boost::asio::awaitable;

json::value Agent::describe() const {
  if (client_ == nullptr) return nullptr;
  return json::object{
      {"name", info_.name}, {"calls", json::value_from(info_.calls)}, {"state", info_.state}};
}

void Agent::attach(AgentClient& client, AgentInfo info) {
  leave();
  client_ = &client;
  info_ = std::move(info);
}

void Agent::leave() {
  client_ = nullptr;
  info_ = {};
  for (const auto& [id, pending] : calls_) pending->answered.notify();
  calls_.clear();
}

awaitable<base::Result<json::value>> Agent::call(std::string session, std::string name,
                                                 json::object params) {
  if (client_ == nullptr || std::ranges::find(info_.calls, name) == info_.calls.end())
    co_return base::fail(base::Code::not_found,
                         name + " needs an agent that offers it, and none is attached");
  if (calls_.size() >= kMostCalls)
    co_return base::fail(base::Code::too_large,
                         std::to_string(kMostCalls) + " calls wait for the agent");
  const auto pending = std::make_shared<Pending>(executor_);
  const std::string id = "a" + std::to_string(++last_call_);
  calls_.emplace(id, pending);
  client_->agent_call(session, id, name, params);
  co_await pending->answered.wait();
  calls_.erase(id);  // If the caller is gone.
  co_return std::move(pending->result);
}

void Agent::answered(const std::string& id, base::Result<json::value> result) {
  const auto call = calls_.find(id);
  if (call == calls_.end()) return;
  const std::shared_ptr<Pending> pending = call->second;
  calls_.erase(call);
  pending->result = std::move(result);
  pending->answered.notify();
}

}  // namespace extension
