// Commands and tools that the runner is running for somebody, and who follows them.
//
// Invariants
// 1. Progress of a call reaches its caller only while the call runs and was not cancelled.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>

#include "base/result.h"
#include "extension/rpc.h"
#include "session/permit.h"
#include "session/rows.h"

namespace extension {

// A command or tool call in progress. The caller can follow or cancel it.
struct Call {
  std::string id;
  std::function<void(std::string_view)> progress;
  session::Permit permit{};
  session::Scope scope{};  // What the caller's credential allows.
};

class Calls {
 public:
  [[nodiscard]] std::string next_id() { return "call-" + std::to_string(++last_); }
  // Keep this object until it returns.
  boost::asio::awaitable<base::Result<json::value>> run(std::shared_ptr<Rpc> connection,
                                                        std::string method, json::object params,
                                                        Call call);
  void progress(const std::string& call, std::string_view text) const;
  // From now on its progress reaches nobody.
  void cancel(const std::string& call) { followers_.erase(call); }

 private:
  std::map<std::string, std::function<void(std::string_view)>> followers_;  // By call.
  std::uint64_t last_ = 0;
};

}  // namespace extension
