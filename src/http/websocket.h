// A WebSocket as the protocols see it: complete messages in and out. Beast implements the stream
// below.
//
// One reader and one writer at a time. `ping` and `close` are allowed at any time, and `abort` ends
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
  std::string_view data;  // Valid until the next read.
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
  // Sends a close frame, and waits a moment for the other side's.
  virtual boost::asio::awaitable<void> close(CloseCode code, std::string_view reason) = 0;
  virtual void abort() = 0;
  // Called with the number of frames in each read, including control frames and those of an
  // incomplete message.
  virtual void on_frames(std::function<void(std::size_t)> call) = 0;
  // Whether a message that was too large ended the connection.
  [[nodiscard]] virtual bool was_too_large() const = 0;
  // When a frame last arrived from the other side.
  [[nodiscard]] virtual base::MonotonicTime last_heard() const = 0;
};

// Answers the upgrade. Null if the client left before that. A plain connection needs only its
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
