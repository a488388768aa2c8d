// JSON-RPC 2.0 over a stream socket, one message per line. Both sides are client and server
// (docs/extensions.md).
//
// Invariants
// 1. Notifications, answers and starts of requests are handled in the order of arrival.
// 2. When the connection ends, every waiting call gets `unavailable`. `run` returns when all that
//    it started has ended.
// 3. The other side is not trusted: a line that is not a message ends the connection.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse_options.hpp>
#include <boost/json/value.hpp>

#include "base/event.h"
#include "base/result.h"
#include "base/task_scope.h"

namespace extension {

namespace json = boost::json;

inline constexpr std::size_t kLongestLine = 8 * 1024 * 1024;
// Data of extensions may be nested deeper than usual.
inline const json::parse_options kDeepNesting = [] {
  json::parse_options options;
  options.max_depth = 1000;
  return options;
}();

class Rpc {
 public:
  using Socket = boost::asio::local::stream_protocol::socket;
  struct Handlers {
    std::function<boost::asio::awaitable<base::Result<json::value>>(std::string method,
                                                                    json::object params)>
        request;
    std::function<void(std::string_view method, const json::object& params)> notification;
  };

  Rpc(Socket socket, Handlers handlers);
  Rpc(const Rpc&) = delete;
  Rpc& operator=(const Rpc&) = delete;

  // Serves until the connection ends.
  boost::asio::awaitable<void> run();
  void close();

  boost::asio::awaitable<base::Result<json::value>> call(std::string method, json::object params);
  void notify(std::string_view method, json::object params);

 private:
  struct Pending {
    explicit Pending(const boost::asio::any_io_executor& executor) : answered(executor) {}
    base::Event answered;
    base::Result<json::value> result =
        base::fail(base::Code::unavailable, "the connection to the runner was lost");
  };

  boost::asio::awaitable<base::Status> read();
  boost::asio::awaitable<void> write();
  base::Status received(std::string_view line);
  base::Status received_request(const json::value& id, const json::object& message);
  void received_answer(const json::value& id, const json::object& message);
  void send(const json::object& message);

  Socket socket_;
  Handlers handlers_;
  base::TaskScope tasks_;
  std::map<std::uint64_t, std::shared_ptr<Pending>> pending_;
  std::uint64_t last_id_ = 0;
  std::deque<std::string> queue_;
  std::size_t queued_bytes_ = 0;
  base::Event wake_;  // There is something to write.
  bool closed_ = false;
};

// Errors with their numbers on the wire.
[[nodiscard]] json::object error_to_json(const base::Error& error);
[[nodiscard]] base::Error error_from_json(const json::value& error);

}  // namespace extension
