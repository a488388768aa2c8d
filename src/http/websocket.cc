#include "http/websocket.h"

#include <chrono>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "http/counted_stream.h"

namespace http {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

template <class Stream>
class BeastWebSocket final : public WebSocket {
 public:
  BeastWebSocket(Stream stream, WebSocketLimits limits)
      : stream_(CountedStream<Stream>(std::move(stream))), last_heard_(now()) {
    websocket::stream_base::timeout times{};
    times.handshake_timeout = limits.handshake_time;
    times.idle_timeout = websocket::stream_base::none();
    times.keep_alive_pings = false;
    stream_.set_option(times);
    stream_.read_message_max(limits.message_size);
    stream_.auto_fragment(false);
    stream_.next_layer().on_frames([this](std::size_t frames) {
      last_heard_ = now();
      if (on_frames_) on_frames_(frames);
    });
  }

  awaitable<bool> accept(const Request& request, std::string_view subprotocol) {
    stream_.set_option(websocket::stream_base::decorator([=](websocket::response_type& response) {
      if (!subprotocol.empty())
        response.set(beast::http::field::sec_websocket_protocol,
                     beast::string_view(subprotocol.data(), subprotocol.size()));
    }));
    const auto [error] = co_await stream_.async_accept(request, kNoThrow);
    co_return !error;
  }

  awaitable<std::optional<Message>> read() override {
    buffer_.consume(buffer_.size());
    // Do not keep the memory of one large message forever.
    if (buffer_.capacity() > kKeptBuffer) buffer_.shrink_to_fit();
    const auto [error, size] = co_await stream_.async_read(buffer_, kNoThrow);
    was_too_large_ = error == websocket::error::message_too_big;
    if (error) co_return std::nullopt;
    const auto data = buffer_.cdata();
    co_return Message{.kind = stream_.got_text() ? MessageKind::text : MessageKind::binary,
                      .data = {static_cast<const char*>(data.data()), data.size()}};
  }

  awaitable<bool> write(MessageKind kind, std::string_view data) override {
    stream_.binary(kind == MessageKind::binary);
    const auto [error, size] =
        co_await stream_.async_write(asio::buffer(data.data(), data.size()), kNoThrow);
    co_return !error;
  }

  void ping() override {
    if (pinging_) return;
    pinging_ = true;
    stream_.async_ping({}, [this](const beast::error_code&) { pinging_ = false; });
  }

  awaitable<void> close(CloseCode code, std::string_view reason) override {
    const websocket::close_reason why(static_cast<websocket::close_code>(code),
                                      beast::string_view(reason.data(), reason.size()));
    co_await stream_.async_close(why, kNoThrow);
  }

  void abort() override {
    beast::error_code ignored;  // It is closed either way.
    socket_of(stream_.next_layer().next_layer()).close(ignored);
  }

  void on_frames(std::function<void(std::size_t)> call) override { on_frames_ = std::move(call); }
  [[nodiscard]] bool was_too_large() const override { return was_too_large_; }
  [[nodiscard]] base::MonotonicTime last_heard() const override { return last_heard_; }

 private:
  static constexpr std::size_t kKeptBuffer = 64 * 1024;
  [[nodiscard]] static base::MonotonicTime now() { return std::chrono::steady_clock::now(); }

  websocket::stream<CountedStream<Stream>> stream_;
  beast::flat_buffer buffer_;
  base::MonotonicTime last_heard_;
  bool pinging_ = false;
  bool was_too_large_ = false;
  std::function<void(std::size_t)> on_frames_;
};

template <class Stream>
awaitable<std::unique_ptr<WebSocket>> accept_from(Stream stream, const Request& request,
                                                  std::string_view subprotocol,
                                                  WebSocketLimits limits) {
  auto accepted = std::make_unique<BeastWebSocket<Stream>>(std::move(stream), limits);
  const bool has_begun = co_await accepted->accept(request, subprotocol);
  if (!has_begun) co_return nullptr;
  co_return accepted;
}

}  // namespace

awaitable<std::unique_ptr<WebSocket>> accept_websocket(Socket socket, const Request& request,
                                                       std::string_view subprotocol,
                                                       WebSocketLimits limits) {
  return accept_from(std::move(socket), request, subprotocol, limits);
}

awaitable<std::unique_ptr<WebSocket>> accept_websocket(TlsStream stream, const Request& request,
                                                       std::string_view subprotocol,
                                                       WebSocketLimits limits) {
  return accept_from(std::move(stream), request, subprotocol, limits);
}

}  // namespace http
