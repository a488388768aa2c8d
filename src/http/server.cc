#include "http/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream_base.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "base/log.h"
#include "http/compatible_client.h"
#include "http/native_client.h"
#include "http/routes.h"
#include "http/single_client.h"
#include "http/text.h"

namespace http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kRequestTime{30};
constexpr std::chrono::seconds kLettingGo{1};
constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::uint32_t kLargestHeader = 16 * 1024;
constexpr std::uint64_t kLargestBody = 1024 * 1024;

}  // namespace

Server::Server(asio::any_io_executor executor, session::Sessions& sessions,
               extension::Extensions& extensions, Gate gate, ServerSettings settings)
    : executor_(executor),
      sessions_(sessions),
      extensions_(extensions),
      gate_(std::move(gate)),
      settings_(settings),
      accepting_(executor),
      connections_(executor),
      checking_(executor) {
  limiter_.limits = settings_.limits;
}

void Server::change(const ServerSettings& settings, GateSettings gate) {
  const Proxy proxy = settings_.proxy;
  settings_ = settings;
  settings_.proxy = proxy;
  limiter_.limits = settings.limits;
  gate_.change(std::move(gate));
}

base::Status Server::listen(base::Fd socket) {
  int domain = 0;
  socklen_t size = sizeof domain;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0)
    return base::fail(base::errno_error(errno, "look at a listening socket"));
  auto acceptor = std::make_shared<Acceptor>(executor_);
  boost::system::error_code error;
  acceptor->assign(Protocol(domain, 0), socket.get(), error);
  if (error) return base::fail(base::errno_error(error.value(), "accept from a listening socket"));
  (void)socket.release();
  accepting_.spawn([this, acceptor]() -> awaitable<void> { co_await accept(acceptor); });
  return {};
}

awaitable<void> Server::accept(std::shared_ptr<Acceptor> acceptor) {
  asio::steady_timer pause(executor_);
  for (;;) {
    auto [error, socket] = co_await acceptor->async_accept(kNoThrow);
    if (error == asio::error::operation_aborted) co_return;
    if (error) {  // Out of descriptors, most likely: what waits in the queue is not lost.
      base::log(base::Level::warning, "cannot accept a connection", {{"error", error.message()}});
      pause.expires_after(kAcceptPause);
      if (const auto [stopped] = co_await pause.async_wait(kNoThrow); stopped) co_return;
      continue;
    }
    auto accepted = std::make_shared<Socket>(std::move(socket));
    connections_.spawn(
        [this, accepted]() -> awaitable<void> { co_await serve(std::move(*accepted)); });
  }
}

awaitable<void> Server::stop(CloseCode code, std::string reason) {
  stopping_ = true;
  accepting_.cancel();
  co_await accepting_.join();
  checking_.cancel();
  for (Client* client : clients_) client->end(code, reason);
  for (Socket* socket : requests_) {
    boost::system::error_code ignored;  // It is closed either way.
    socket->close(ignored);
  }
  for (asio::steady_timer& wait : waits_) wait.cancel();
  co_await connections_.join();
}

awaitable<void> Server::make_wait() {
  const auto wait = waits_.emplace(waits_.end(), executor_, kHastyWait);
  (void)co_await wait->async_wait(kNoThrow);  // Also cut short: then it is answered at once.
  waits_.erase(wait);
}

awaitable<void> Server::let_go(PlainStream& stream) {
  boost::system::error_code ignored;  // The other side may have closed already.
  stream.socket().shutdown(Socket::shutdown_send, ignored);
  stream.expires_after(kLettingGo);
  std::array<char, 1024> unread{};
  for (;;) {
    const auto [ended, size] = co_await stream.async_read_some(asio::buffer(unread), kNoThrow);
    if (ended) co_return;
  }
}

template <class Stream>
awaitable<void> Server::answer_unreadable(Stream& stream, boost::system::error_code error) {
  using beast::http::status;
  const bool is_malformed =
      error.category() == beast::http::make_error_code(beast::http::error::bad_method).category() &&
      error != beast::http::error::end_of_stream && error != beast::http::error::partial_message;
  if (!is_malformed || stopping_) co_return;
  status code = status::bad_request;
  if (error == beast::http::error::header_limit) code = status::request_header_fields_too_large;
  if (error == beast::http::error::body_limit) code = status::payload_too_large;
  Response response(code, 11);
  response.set(beast::http::field::content_type, "text/plain; charset=utf-8");
  response.body() = "This is no request: " + error.message() + "\n";
  response.keep_alive(false);
  response.prepare_payload();
  const auto [write_error, size] = co_await beast::http::async_write(stream, response, kNoThrow);
  if (!write_error) co_await let_go(beast::get_lowest_layer(stream));
}

template <class Stream>
awaitable<std::optional<Request>> Server::answer_requests(Stream& stream, const Peer& peer,
                                                          Visitor& visitor) {
  beast::flat_buffer buffer;
  for (;;) {
    beast::http::request_parser<beast::http::string_body> parser;
    parser.header_limit(kLargestHeader);
    parser.body_limit(kLargestBody);
    const auto [read_error, read_size] =
        co_await beast::http::async_read(stream, buffer, parser, kNoThrow);
    // Who keeps a connection open and asks for nothing more has met no limit.
    if (read_error == beast::error::timeout && (parser.got_some() || buffer.size() > 0))
      limiter_.met(Limit::handshake_time);
    if (read_error) {
      co_await answer_unreadable(stream, read_error);
      co_return std::nullopt;
    }
    auto response = answer(parser.get(), peer, visitor);
    if (!response) co_return parser.release();
    ++requests_served_;
    if (response->result() == beast::http::status::too_many_requests) co_await make_wait();
    const bool keep = response->keep_alive() && !stopping_;
    const auto [write_error, write_size] =
        co_await beast::http::async_write(stream, *response, kNoThrow);
    if (write_error || !keep) co_return std::nullopt;
    beast::get_lowest_layer(stream).expires_after(kRequestTime);
  }
}

template <class Stream>
awaitable<void> Server::serve_websocket(Stream stream, Request request, Visitor visitor) {
  const bool is_native = path_of(view(request.target())) == kNativePath;
  const WebSocketLimits limits{.message_size = limiter_.limits.message_size,
                               .handshake_time = limiter_.limits.handshake_time};
  auto accepted = co_await accept_websocket(std::move(stream), request,
                                            is_native ? wire::native::kProtocol : "", limits);
  if (!accepted || stopping_) co_return;
  const auto client = make_client(std::move(accepted), request, std::move(visitor.user));
  const auto registered = clients_.insert(clients_.end(), client.get());
  if (clients_.size() == 1) check_clients();
  co_await client->run(limiter_, std::move(visitor.address));
  clients_.erase(registered);
  if (clients_.empty()) checking_.cancel();
}

awaitable<bool> Server::begin(PlainStream& stream) {
  stream.expires_after(limiter_.limits.handshake_time);
  co_return true;
}

awaitable<bool> Server::begin(TlsStream& stream) {
  stream.next_layer().expires_after(limiter_.limits.handshake_time);
  const auto [error] = co_await stream.async_handshake(asio::ssl::stream_base::server, kNoThrow);
  if (error == beast::error::timeout) limiter_.met(Limit::handshake_time);
  co_return !error;
}

template <class Stream>
awaitable<void> Server::serve_stream(Stream stream, Peer peer) {
  const auto registered = requests_.insert(requests_.end(), &socket_of(stream));
  Visitor visitor;
  std::optional<Request> upgrade;
  const bool has_begun = co_await begin(stream);
  if (has_begun) upgrade = co_await answer_requests(stream, peer, visitor);
  requests_.erase(registered);
  if (!upgrade || stopping_) {
    boost::system::error_code ignored;  // The other side may have closed already.
    socket_of(stream).shutdown(Socket::shutdown_send, ignored);
    co_return;
  }
  beast::get_lowest_layer(stream).expires_never();
  if constexpr (std::is_same_v<Stream, PlainStream>)
    co_await serve_websocket(stream.release_socket(), std::move(*upgrade), std::move(visitor));
  else
    co_await serve_websocket(std::move(stream), std::move(*upgrade), std::move(visitor));
}

awaitable<void> Server::serve(Socket accepted) {
  send_at_once(accepted);
  Peer peer{.user = peer_user(accepted), .address = peer_address(accepted)};
  std::optional<Places::Place> place;
  const bool is_other_account = peer.user && *peer.user != ::geteuid() && *peer.user != 0;
  if (is_other_account || (!peer.user && settings_.proxy == Proxy::none)) {
    const std::string whose =
        peer.user ? "uid " + std::to_string(*peer.user) : counted_address(peer.address);
    place = limiter_.by_address.take(whose, limiter_.limits.address_connections);
    if (!place) {
      co_await turn_away(std::move(accepted));
      co_return;
    }
  }
  if (tls_ && !peer.user) {
    peer.is_secure = true;
    TlsStream stream(PlainStream(std::move(accepted)),
                     tls_->context(std::chrono::steady_clock::now()));
    co_await serve_stream(std::move(stream), std::move(peer));
  } else {
    PlainStream stream(std::move(accepted));
    co_await serve_stream(std::move(stream), std::move(peer));
  }
}

// Says why before anything is asked: whoever has that many connections is not listened to.
awaitable<void> Server::turn_away(Socket accepted) {
  limiter_.met(Limit::address_connection);
  if (tls_) co_return;  // Saying anything would take a handshake.
  PlainStream stream(std::move(accepted));
  const auto registered = requests_.insert(requests_.end(), &stream.socket());
  stream.expires_after(kLettingGo);
  constexpr std::string_view kAnswer =
      "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 10\r\nConnection: close\r\n"
      "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 48\r\n\r\n"
      "There are too many connections from this place.\n";
  const auto [error, size] =
      co_await asio::async_write(stream, asio::buffer(kAnswer.data(), kAnswer.size()), kNoThrow);
  if (!error) co_await let_go(stream);
  requests_.erase(registered);
}

std::unique_ptr<Client> Server::make_client(std::unique_ptr<WebSocket> socket,
                                            const Request& request, User user) {
  const std::string_view target = view(request.target());
  const std::string_view path = path_of(target);
  if (path == kCompatiblePath)
    return std::make_unique<CompatibleClient>(executor_, std::move(socket), sessions_,
                                              std::move(user), query_parameter(target, "session"));
  if (path == kNativePath)
    return std::make_unique<NativeClient>(executor_, std::move(socket), sessions_, std::move(user),
                                          extensions_);
  const auto side = [&](std::string_view name, int otherwise) -> int {
    return wire::single::parse_dimension(query_parameter(target, name).value_or(""))
        .value_or(otherwise);
  };
  return std::make_unique<SingleClient>(
      executor_, std::move(socket), sessions_, std::move(user),
      vt::Size{.cols = side("cols", 80), .rows = side("rows", 24)});
}

// One timer for all, and none while there are no clients: an idle daemon sleeps.
void Server::check_clients() {
  checking_.expires_after(settings_.ping_interval);
  checking_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    const auto now = std::chrono::steady_clock::now();
    for (Client* client : std::list<Client*>(clients_)) {
      client->check(now, settings_.ping_timeout);
      if (!gate_.still_lets_in(client->user()))
        client->end(CloseCode::policy, "the token was withdrawn");
    }
    check_clients();
  });
}

}  // namespace http
