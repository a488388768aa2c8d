#include "extension/calls.h"

namespace extension {

boost::asio::awaitable<base::Result<json::value>> Calls::run(std::shared_ptr<Rpc> connection,
                                                             std::string method,
                                                             json::object params, Call call) {
  params["call"] = call.id;
  followers_[call.id] = call.progress;
  auto result = co_await connection->call(std::move(method), std::move(params));
  followers_.erase(call.id);
  co_return result;
}

void Calls::progress(const std::string& call, std::string_view text) const {
  const auto follower = followers_.find(call);
  if (follower != followers_.end() && follower->second) follower->second(text);
}

}  // namespace extension
