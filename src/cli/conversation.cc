#include "cli/conversation.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/json.hpp>

#include "cli/addressee.h"
#include "cli/connect.h"
#include "cli/server.h"
#include "wire/native.h"

namespace cli {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace json = boost::json;

namespace {

base::Error lost(const beast::error_code& error) {
  return {.code = base::Code::unavailable,
          .what = "lost the connection to the daemon: " + error.message(),
          .advice = "Check that `holdfast serve` is running."};
}

}  // namespace

struct Conversation::Stream {
  asio::io_context io;
  beast::websocket::stream<asio::local::stream_protocol::socket> socket{io};
};

Conversation::Conversation() : stream_(std::make_unique<Stream>()) {}
Conversation::~Conversation() = default;

base::Status Conversation::open() {
  const auto server = given_server();
  if (!server) return base::fail(server.error());
  auto socket = connect_or_start();
  if (!socket) return base::fail(socket.error());
  auto& stream = stream_->socket;
  beast::error_code error;
  stream.next_layer().assign(asio::local::stream_protocol(), socket->get(), error);
  if (error) return base::fail(lost(error));
  (void)socket->release();
  stream.set_option(
      beast::websocket::stream_base::decorator([&](beast::websocket::request_type& request) {
        request.set(beast::http::field::sec_websocket_protocol,
                    std::string(wire::native::kProtocol));
        address(request, *server);
      }));
  beast::websocket::response_type answer;
  stream.handshake(answer, kAnyHost, "/ws", error);
  if (error == beast::websocket::error::upgrade_declined) return base::fail(refused(answer));
  if (error) return base::fail(lost(error));
  return {};
}

base::Status Conversation::send(const char* type, json::object data, int request) {
  json::object message{{"type", type}, {"data", std::move(data)}};
  if (request != 0) message["request"] = request;
  beast::error_code error;
  stream_->socket.write(asio::buffer(json::serialize(message)), error);
  if (error) return base::fail(lost(error));
  return {};
}

base::Result<json::object> Conversation::receive() {
  for (;;) {
    beast::flat_buffer buffer;
    beast::error_code error;
    stream_->socket.read(buffer, error);
    if (error) return base::fail(lost(error));
    if (stream_->socket.got_binary()) continue;
    json::value message = json::parse(beast::buffers_to_string(buffer.data()), error);
    if (!error && message.is_object()) return std::move(message.get_object());
  }
}

}  // namespace cli
