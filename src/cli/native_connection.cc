#include "cli/native_connection.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/json.hpp>

#include "cli/addressee.h"
#include "cli/connect.h"
#include "cli/server.h"
#include "cli/tunnel.h"
#include "daemon/control_connection.h"

namespace cli {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace json = boost::json;
namespace native = wire::native;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
// A snapshot comes in one message. It may be large, and the daemon is trusted.
constexpr std::size_t kLargestMessage = std::size_t{1} << 30;

base::Error lost(const beast::error_code& error) {
  return {.code = base::Code::unavailable,
          .what = "lost the connection to the daemon: " + error.message(),
          .advice = ""};
}

}  // namespace

awaitable<base::Status> NativeConnection::open() {
  const auto server = given_server();
  if (!server) co_return base::fail(server.error());
  base::Result<base::Fd> socket = base::Fd();
  if (*server)
    socket = co_await open_tunnel(**server);
  else
    socket = connect_to_daemon();
  if (!socket) co_return base::fail(socket.error());
  beast::error_code assigned;
  stream_.next_layer().assign(asio::local::stream_protocol(), socket->get(), assigned);
  if (assigned) co_return base::fail(lost(assigned));
  (void)socket->release();
  stream_.read_message_max(kLargestMessage);
  stream_.set_option(
      beast::websocket::stream_base::decorator([&](beast::websocket::request_type& request) {
        request.set(beast::http::field::sec_websocket_protocol, std::string(native::kProtocol));
        address(request, *server);
      }));
  beast::websocket::response_type answer;
  const auto [error] = co_await stream_.async_handshake(answer, kAnyHost, "/ws", kNoThrow);
  if (error == beast::websocket::error::upgrade_declined) co_return base::fail(refused(answer));
  if (error) co_return base::fail(lost(error));
  co_return base::Status();
}

awaitable<base::Result<NativeConnection::Message>> NativeConnection::receive() {
  for (;;) {
    buffer_.clear();
    const auto [error, size] = co_await stream_.async_read(buffer_, kNoThrow);
    if (error == beast::websocket::error::closed &&
        stream_.reason().code == beast::websocket::close_code::policy_error)
      co_return base::fail(
          base::Code::permission_denied,
          "the daemon closed the connection: " + std::string(stream_.reason().reason.c_str()));
    if (error) co_return base::fail(lost(error));
    const std::string_view bytes(static_cast<const char*>(buffer_.data().data()), size);
    Message message;
    if (stream_.got_binary()) {
      const auto frame = native::parse_frame(std::as_bytes(std::span(bytes)));
      if (!frame) continue;
      message.header = frame->header;
      message.payload = bytes.substr(native::kFrameHeaderSize);
      co_return message;
    }
    json::error_code malformed;
    json::value parsed = json::parse(bytes, malformed);
    if (malformed || !parsed.is_object()) continue;
    json::object& text = parsed.get_object();
    message.type = holdfast::text_in(text, "type");
    message.request = static_cast<std::int64_t>(holdfast::count_in(text, "request"));
    if (json::value* const data = text.if_contains("data"); data != nullptr && data->is_object())
      message.data = std::move(data->get_object());
    if (!message.type.empty()) co_return message;
  }
}

void NativeConnection::send(std::string_view type, json::object data, int request) {
  json::object message{{"type", json::string_view(type.data(), type.size())},
                       {"data", std::move(data)}};
  if (request != 0) message["request"] = request;
  enqueue({.is_binary = false, .bytes = json::serialize(message)});
}

void NativeConnection::send_input(std::uint32_t channel, std::string_view bytes) {
  const auto header =
      native::encode_header({.kind = native::FrameKind::input, .channel = channel, .offset = 0});
  std::string frame(reinterpret_cast<const char*>(header.data()), header.size());
  enqueue({.is_binary = true, .bytes = frame.append(bytes)});
}

void NativeConnection::enqueue(Outgoing message) {
  queue_.push_back(std::move(message));
  if (queue_.size() == 1) write();
}

void NativeConnection::write() {
  stream_.binary(queue_.front().is_binary);
  stream_.async_write(asio::buffer(queue_.front().bytes),
                      [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                        if (error) return;
                        self->queue_.pop_front();
                        if (!self->queue_.empty()) self->write();
                      });
}

void NativeConnection::abort() {
  beast::error_code ignored;
  stream_.next_layer().close(ignored);
}

}  // namespace cli
