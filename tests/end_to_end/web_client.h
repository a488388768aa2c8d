// Clients of a daemon over real sockets.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "end_to_end/process.h"

namespace e2e {

namespace json = boost::json;

struct HttpResponse {
  int status = 0;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  // Empty if it is not there.
  [[nodiscard]] std::string header(std::string_view name) const;
};

using Headers = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] inline Headers bearer(const std::string& token) {
  return {{"Authorization", "Bearer " + token}};
}

// One request over a connection of its own. `host` is the Host header, `127.0.0.1:PORT` unless
// told.
[[nodiscard]] HttpResponse http_get(int port, const std::string& target,
                                    const Headers& headers = {});
[[nodiscard]] HttpResponse http_request(int port, const std::string& method,
                                        const std::string& target, const Headers& headers = {},
                                        const std::string& body = {});

// A WebSocket client. Calls wait with a deadline and throw std::runtime_error when it passes.
class WebSocketClient {
 public:
  struct Frame {
    bool binary = false;
    std::string data;
    [[nodiscard]] json::object object() const { return json::parse(data).as_object(); }
  };

  // Throws with the HTTP status in the text if the upgrade is refused: see `upgrade_status`.
  WebSocketClient(int port, const std::string& target, const Headers& headers = {},
                  const std::string& subprotocol = {});
  ~WebSocketClient();
  WebSocketClient(const WebSocketClient&) = delete;
  WebSocketClient& operator=(const WebSocketClient&) = delete;

  void send(const json::value& message);
  void send_text(std::string_view text);
  void send_binary(std::string_view bytes);

  // The next frame; nothing if the connection was closed.
  std::optional<Frame> receive(milliseconds deadline = seconds(20));
  // A frame that arrived by now.
  std::optional<Frame> poll();
  // Waits for a text message of that type, and drops everything before it.
  json::object expect(std::string_view type, milliseconds deadline = seconds(20));
  // Waits for a text message that `wanted` accepts, and drops everything before it.
  json::object expect(const std::function<bool(const json::object&)>& wanted,
                      milliseconds deadline = seconds(20));
  // The close code, once the connection was closed by the server; waits for that.
  int close_code(milliseconds deadline = seconds(20));
  // Whether the connection is known to have ended; frames from before may still wait.
  [[nodiscard]] bool is_closed() const;
  // Says goodbye and waits for the answer.
  void close();
  // Ends the TCP connection without a word, as a lost network would.
  void drop();
  // Stops reading from the socket until `resume`, so that the server's writes back up.
  [[nodiscard]] int native_handle() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What the server answers to a WebSocket upgrade: 101, or why not.
[[nodiscard]] int upgrade_status(int port, const std::string& target, const Headers& headers = {},
                                 const std::string& subprotocol = {});

}  // namespace e2e
