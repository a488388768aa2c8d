// A WebSocket as the protocols see it: whole messages in, whole messages out. The stream below is
// Beast's.
//
// One reader and one writer at a time; `ping` and `close` may come at any moment, and `abort` ends
// everything.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "base/clock.h"
#include "http/stream.h"

namespace http {

using Request = boost::beast::http::request<boost::beast::http::string_body>;

enum class MessageKind { text, binary };

struct Message {
  MessageKind kind = MessageKind::text;
  std::string_view data;  // Until the next read.
};

enum class CloseCode : std::uint16_t {
  normal = 1000,
  policy = 1008,
  restart = 1012,
};

struct WebSocketLimits {
  std::size_t message_size;
  std::chrono::milliseconds handshake_time;
};

class WebSocket {
 public:
  virtual ~WebSocket() = default;

  // None when the connection has ended.
  virtual boost::asio::awaitable<std::optional<Message>> read() = 0;
  // False when the connection has ended.
  virtual boost::asio::awaitable<bool> write(MessageKind kind, std::string_view data) = 0;
  virtual void ping() = 0;
  // Says goodbye, and waits for the other side to do so too, for a moment.
  virtual boost::asio::awaitable<void> close(CloseCode code, std::string_view reason) = 0;
  virtual void abort() = 0;
  // Called with the number of frames that begin in what came, those of a message that is not whole
  // and of none too.
  virtual void on_frames(std::function<void(std::size_t)> call) = 0;
  // Whether the connection has ended with a message that was too large.
  [[nodiscard]] virtual bool was_too_large() const = 0;
  // When the other side last showed that it lives.
  [[nodiscard]] virtual base::MonotonicTime last_heard() const = 0;
};

// Answers the upgrade. Null if the client did not stay for that. A plain one needs no more than its
// socket.
boost::asio::awaitable<std::unique_ptr<WebSocket>> accept_websocket(Socket socket,
                                                                    const Request& request,
                                                                    std::string_view subprotocol,
                                                                    WebSocketLimits limits);
boost::asio::awaitable<std::unique_ptr<WebSocket>> accept_websocket(TlsStream stream,
                                                                    const Request& request,
                                                                    std::string_view subprotocol,
                                                                    WebSocketLimits limits);

}  // namespace http
