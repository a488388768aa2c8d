// A connection to the daemon in the native protocol (docs/protocol.md), for commands that do other
// things while it is open.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <boost/json/object.hpp>

#include "base/result.h"
#include "wire/native_frame.h"

namespace cli {

class NativeConnection : public std::enable_shared_from_this<NativeConnection> {
 public:
  struct Message {
    // Of a text message. A frame has no type.
    std::string type;
    std::int64_t request = 0;  // The request that it answers, or 0.
    boost::json::object data;
    // Of a frame. The payload is there until the next message is received.
    wire::native::FrameHeader header;
    std::string_view payload;
  };

  explicit NativeConnection(const boost::asio::any_io_executor& executor) : stream_(executor) {}

  // Waits for a daemon: while one follows another, connections queue at the socket. Fails with
  // `unavailable` if trying again may help.
  [[nodiscard]] boost::asio::awaitable<base::Status> open();
  [[nodiscard]] boost::asio::awaitable<base::Result<Message>> receive();

  // Sent in this order, at once. A connection that is lost reports that in `receive`.
  void send(std::string_view type, boost::json::object data, int request = 0);
  void send_input(std::uint32_t channel, std::string_view bytes);
  // Ends everything that is under way.
  void abort();

 private:
  struct Outgoing {
    bool is_binary = false;
    std::string bytes;
  };
  void enqueue(Outgoing message);
  void write();

  boost::beast::websocket::stream<boost::asio::local::stream_protocol::socket> stream_;
  boost::beast::flat_buffer buffer_;
  std::deque<Outgoing> queue_;  // The first one is being written.
};

}  // namespace cli
