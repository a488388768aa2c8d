#include "end_to_end/web_client.h"

#include <algorithm>
#include <deque>
#include <stdexcept>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

namespace e2e {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;

namespace {

tcp::endpoint local(int port) {
  return {asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port)};
}

std::string host_of(int port, const Headers& headers) {
  for (const auto& [name, value] : headers)
    if (beast::iequals(name, "Host")) return value;
  return "127.0.0.1:" + std::to_string(port);
}

}  // namespace

std::string HttpResponse::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (beast::iequals(key, name)) return value;
  return {};
}

HttpResponse http_get(int port, const std::string& target, const Headers& headers) {
  return http_request(port, "GET", target, headers);
}

HttpResponse http_request(int port, const std::string& method, const std::string& target,
                          const Headers& headers, const std::string& body) {
  asio::io_context io;
  tcp::socket socket(io);
  socket.connect(local(port));
  beast::http::request<beast::http::string_body> request(beast::http::string_to_verb(method),
                                                         target, 11);
  request.body() = body;
  request.prepare_payload();
  request.set(beast::http::field::host, host_of(port, headers));
  for (const auto& [name, value] : headers) request.set(name, value);
  request.set(beast::http::field::connection, "close");
  beast::http::write(socket, request);
  beast::flat_buffer buffer;
  beast::http::response<beast::http::string_body> response;
  beast::http::read(socket, buffer, response);
  HttpResponse result{
      .status = static_cast<int>(response.result_int()), .body = response.body(), .headers = {}};
  for (const auto& field : response)
    result.headers.emplace_back(field.name_string(), field.value());
  return result;
}

int upgrade_status(int port, const std::string& target, const Headers& headers,
                   const std::string& subprotocol) {
  Headers all = headers;
  all.insert(all.end(), {{"Upgrade", "websocket"},
                         {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="},
                         {"Sec-WebSocket-Version", "13"}});
  if (!subprotocol.empty()) all.emplace_back("Sec-WebSocket-Protocol", subprotocol);
  asio::io_context io;
  tcp::socket socket(io);
  socket.connect(local(port));
  beast::http::request<beast::http::empty_body> request(beast::http::verb::get, target, 11);
  request.set(beast::http::field::host, host_of(port, headers));
  for (const auto& [name, value] : all) request.set(name, value);
  request.set(beast::http::field::connection, "Upgrade");
  beast::http::write(socket, request);
  beast::flat_buffer buffer;
  beast::http::response_parser<beast::http::string_body> parser;
  beast::http::read_header(socket, buffer, parser);
  return static_cast<int>(parser.get().result_int());
}

// --- WebSocket ---

struct WebSocketClient::Impl {
  asio::io_context io;
  websocket::stream<tcp::socket> stream{io};
  beast::flat_buffer buffer;
  bool reading = false;
  bool closed = false;
  std::deque<Frame> frames;

  void run(milliseconds deadline, const std::function<bool()>& done, const char* what) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    while (!done()) {
      const auto left = end - std::chrono::steady_clock::now();
      if (left.count() <= 0) throw std::runtime_error(std::string("waited too long for ") + what);
      io.restart();
      io.run_one_for(left);
    }
  }

  void read() {
    if (reading || closed) return;
    reading = true;
    stream.async_read(buffer, [this](const beast::error_code& error, std::size_t) {
      reading = false;
      if (error) {
        closed = true;
        return;
      }
      frames.push_back(
          {.binary = stream.got_binary(), .data = beast::buffers_to_string(buffer.data())});
      buffer.consume(buffer.size());
    });
  }

  void write(std::string_view data, bool binary) {
    bool done = false;
    beast::error_code failure;
    stream.binary(binary);
    stream.async_write(asio::buffer(data.data(), data.size()),
                       [&](const beast::error_code& error, std::size_t) {
                         failure = error;
                         done = true;
                       });
    // A server that writes while it is written to must be listened to, or both wait.
    run(
        seconds(60),
        [&] {
          read();
          return done;
        },
        "a write");
    // As in a browser, what is sent to a server that has closed the connection goes nowhere.
    if (failure && !stream.reason()) throw std::runtime_error("cannot write: " + failure.message());
  }
};

WebSocketClient::WebSocketClient(int port, const std::string& target, const Headers& headers,
                                 const std::string& subprotocol)
    : impl_(std::make_unique<Impl>()) {
  impl_->stream.next_layer().connect(local(port));
  impl_->stream.next_layer().set_option(tcp::no_delay(true));
  impl_->stream.read_message_max(0);
  impl_->stream.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
    for (const auto& [name, value] : headers) request.set(name, value);
    if (!subprotocol.empty()) request.set(beast::http::field::sec_websocket_protocol, subprotocol);
  }));
  websocket::response_type response;
  beast::error_code error;
  impl_->stream.handshake(response, host_of(port, headers), target, error);
  if (error)
    throw std::runtime_error("the upgrade was answered with " +
                             std::to_string(response.result_int()) + ": " + error.message());
}

WebSocketClient::~WebSocketClient() = default;

void WebSocketClient::send(const json::value& message) {
  send_text(json::serialize(message));
}
void WebSocketClient::send_text(std::string_view text) {
  impl_->write(text, false);
}
void WebSocketClient::send_binary(std::string_view bytes) {
  impl_->write(bytes, true);
}

std::optional<WebSocketClient::Frame> WebSocketClient::poll() {
  impl_->read();
  impl_->io.restart();
  impl_->io.poll();
  if (impl_->frames.empty()) return std::nullopt;
  Frame frame = std::move(impl_->frames.front());
  impl_->frames.pop_front();
  return frame;
}

std::optional<WebSocketClient::Frame> WebSocketClient::receive(milliseconds deadline) {
  impl_->run(
      deadline,
      [&] {
        if (!impl_->frames.empty() || impl_->closed) return true;
        impl_->read();
        return false;
      },
      "a message");
  if (impl_->frames.empty()) return std::nullopt;
  Frame frame = std::move(impl_->frames.front());
  impl_->frames.pop_front();
  return frame;
}

json::object WebSocketClient::expect(const std::function<bool(const json::object&)>& wanted,
                                     milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now());
    auto frame = receive(std::max(left, milliseconds(0)));
    if (!frame) throw std::runtime_error("the connection was closed");
    if (frame->binary) continue;
    if (json::object message = frame->object(); wanted(message)) return message;
  }
}

json::object WebSocketClient::expect(std::string_view type, milliseconds deadline) {
  std::string seen;
  try {
    return expect(
        [&](const json::object& message) {
          seen += json::serialize(message).substr(0, 300) + "\n";
          return message.at("type").as_string() == json::string_view(type.data(), type.size());
        },
        deadline);
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string(error.what()) + ", waiting for " + std::string(type) +
                             "; came: " + seen);
  }
}

int WebSocketClient::close_code(milliseconds deadline) {
  impl_->run(
      deadline,
      [&] {
        if (impl_->closed) return true;
        impl_->read();
        return false;
      },
      "the end of the connection");
  return impl_->stream.reason().code;
}

bool WebSocketClient::is_closed() const {
  return impl_->closed;
}

void WebSocketClient::close() {
  bool done = false;
  impl_->stream.async_close(websocket::close_code::normal,
                            [&](const beast::error_code&) { done = true; });
  impl_->run(seconds(20), [&] { return done; }, "the goodbye");
}

void WebSocketClient::drop() {
  impl_->stream.next_layer().close();
  impl_->closed = true;
}

int WebSocketClient::native_handle() const {
  return impl_->stream.next_layer().native_handle();
}

}  // namespace e2e
