#include "http/server.h"

#include <sys/socket.h>

#include <array>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream_base.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "base/log.h"
#include "http/compatible_client.h"
#include "http/framing.h"
#include "http/native_client.h"
#include "http/refusal_page.h"
#include "http/routes.h"
#include "http/single_client.h"
#include "http/text.h"
#include "wire/limits.h"

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

// Makes browsers use TLS from now on. Not for `localhost`, a name that other servers share.
void promise_tls(Response& response, const Request& request, const Peer& peer) {
  const std::string_view name = name_of_host(view(request[beast::http::field::host]));
  if (peer.is_secure && name != "localhost")
    set_header(response, "Strict-Transport-Security", "max-age=31536000");
}

}  // namespace

Server::Server(asio::any_io_executor executor, session::Sessions& sessions,
               extension::Extensions& extensions, Gate gate, ServerSettings settings)
    : executor_(executor),
      sessions_(sessions),
      extensions_(extensions),
      operations_(executor, sessions, extensions, settings.events_file, settings.files),
      gate_(std::move(gate)),
      token_uses_(gate_.store(), base::system_clock()),
      settings_(settings),
      accepting_(executor),
      connections_(executor),
      long_calls_(executor, operations_.waiting(),
                  {.first_came =
                       [this] {
                         if (clients_.empty()) check_clients();
                       },
                   .last_left =
                       [this] {
                         if (clients_.empty()) checking_.cancel();
                       }}),
      checking_(executor) {
  limiter_.limits = settings_.limits;
}

void Server::change(const ServerSettings& settings, GateSettings gate) {
  const Proxy proxy = settings_.proxy;
  settings_ = settings;
  settings_.proxy = proxy;
  limiter_.limits = settings.limits;
  operations_.files().change(settings.files);
  gate_.change(std::move(gate));
  end_withdrawn();
}

void Server::end_withdrawn() {
  for (Client* client : std::list<Client*>(clients_))
    if (!gate_.still_lets_in(client->user())) client->withdraw();
  long_calls_.end_unless([this](const User& user) { return gate_.still_lets_in(user); });
}

base::Status Server::listen(base::Fd socket) {
  int domain = 0;
  socklen_t size = sizeof domain;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0)
    return base::fail(base::errno_error(errno, "inspect a listening socket"));
  auto acceptor = std::make_shared<Acceptor>(executor_);
  boost::system::error_code error;
  acceptor->assign(Protocol(domain, 0), socket.get(), error);
  if (error) return base::fail(base::errno_error(error.value(), "use a listening socket"));
  (void)socket.release();
  accepting_.spawn([this, acceptor]() -> awaitable<void> { co_await accept(acceptor); });
  return {};
}

awaitable<void> Server::accept(std::shared_ptr<Acceptor> acceptor) {
  asio::steady_timer pause(executor_);
  for (;;) {
    auto [error, socket] = co_await acceptor->async_accept(kNoThrow);
    if (error == asio::error::operation_aborted) co_return;
    if (error) {  // Most likely out of descriptors. Queued connections are not lost.
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
  // Those who wait learn that the daemon stops.
  operations_.waiting().stop();
  waiting_.close_all_except(long_calls_.sockets());
  for (asio::steady_timer& wait : waits_) wait.cancel();
  co_await connections_.join();
}

awaitable<void> Server::make_wait() {
  const auto wait = waits_.emplace(waits_.end(), executor_, kHastyWait);
  (void)co_await wait->async_wait(kNoThrow);  // `stop` cuts it short.
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
  const status code = error == beast::http::error::header_limit
                          ? status::request_header_fields_too_large
                          : status::bad_request;
  const Response response = refuse_unreadable(code, "Malformed request: " + error.message());
  const auto [write_error, size] = co_await beast::http::async_write(stream, response, kNoThrow);
  if (!write_error) co_await let_go(beast::get_lowest_layer(stream));
}

// Whether to read a body is decided by the header alone.
template <class Stream, class Parser>
awaitable<std::optional<bool>> Server::answer_request(Stream& stream, beast::flat_buffer& buffer,
                                                      Parser& parser, const Peer& direct,
                                                      Visitor& visitor) {
  const Request& request = parser.get();
  const Peer peer = peer_of(request, direct);
  const std::string_view path = path_of(view(request.target()));
  std::optional<Response> response = turn_back(request, peer);
  bool is_read = !has_body(request);
  const std::uint64_t largest = response || is_read ? 0 : largest_body(request, peer);
  if (largest > 0) {
    if (body_length(request) == 0 || body_length(request) > largest) {
      response = refuse(
          request, beast::http::status::payload_too_large,
          "Send a body of at most " + std::to_string(largest) + " bytes, with Content-Length.");
    } else {
      // A connection that was idle for long has as much time for a piece of a file as another one.
      if (is_file_path(path)) beast::get_lowest_layer(stream).expires_after(kRequestTime);
      const auto [error, size] = co_await beast::http::async_read(stream, buffer, parser, kNoThrow);
      if (error) co_return false;
      is_read = true;
    }
  }
  if (!response && path == kEventsPath && is_read) {
    response = co_await stream_events(stream, request, peer);
    if (!response) {
      ++requests_served_;
      co_return false;
    }
  }
  if (!response && is_file_path(path) && is_read) {
    response = co_await answer_file(stream, request, peer);
    if (!response) {
      ++requests_served_;
      co_return false;
    }
  }
  if (!response && is_api_path(path))
    response = co_await answer_api(request, peer, socket_of(stream));
  if (!response && path == kMcpPath)
    response = co_await answer_mcp(request, peer, socket_of(stream));
  if (!response) response = answer(request, peer, visitor);
  if (!response && is_read) co_return std::nullopt;
  if (!response)
    response = refuse(request, beast::http::status::bad_request,
                      "A WebSocket request must not have a body.");
  if ((*response)[beast::http::field::content_type] == kText && response->result_int() >= 400) {
    if (is_for_programs(path))
      response = as_problem(request, *response);
    else if (wants_page(request))
      response = as_page(request, *response);
  }
  ++requests_served_;
  if (response->result() == beast::http::status::too_many_requests) co_await make_wait();
  if (!is_read || stopping_) response->keep_alive(false);
  promise_tls(*response, request, peer);
  beast::get_lowest_layer(stream).expires_after(stopping_ ? kLettingGo : kRequestTime);
  const auto [error, size] = co_await beast::http::async_write(stream, *response, kNoThrow);
  if (error) co_return false;
  if (!is_read) co_await let_go(beast::get_lowest_layer(stream));
  co_return response->keep_alive();
}

template <class Stream>
awaitable<std::optional<Request>> Server::answer_requests(Stream& stream, const Peer& peer,
                                                          Visitor& visitor,
                                                          WaitingRoom::Seat& seat) {
  beast::flat_buffer buffer(kLargestHeader + wire::kMaxMessage);
  for (;;) {
    beast::http::request_parser<beast::http::string_body> parser;
    parser.header_limit(kLargestHeader);
    parser.body_limit(boost::none);  // `answer_request` checks it.
    const auto [error, size] =
        co_await beast::http::async_read_header(stream, buffer, parser, kNoThrow);
    // An idle keep-alive connection has hit no limit.
    if (error == beast::error::timeout && (parser.got_some() || buffer.size() > 0))
      limiter_.met(Limit::handshake_time);
    if (error) {
      co_await answer_unreadable(stream, error);
      co_return std::nullopt;
    }
    seat.asked();
    const auto goes_on = co_await answer_request(stream, buffer, parser, peer, visitor);
    if (!goes_on) co_return parser.release();
    if (!*goes_on) co_return std::nullopt;
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
  if (clients_.size() == 1 && long_calls_.size() == 0) check_clients();
  if (visitor.theme) client->set_theme(*visitor.theme);
  co_await client->run(limiter_, visitor.address);
  token_uses_.note(client->user(), visitor.address);
  clients_.erase(registered);
  if (clients_.empty() && long_calls_.size() == 0) checking_.cancel();
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
  Visitor visitor;
  std::optional<Request> upgrade;
  {
    if (waiting_.make_room(limiter_.limits.waiting_connections) > 0)
      limiter_.met(Limit::waiting_connection);
    WaitingRoom::Seat seat(waiting_, limit_key(peer), socket_of(stream));
    const bool has_begun = co_await begin(stream);
    if (has_begun) upgrade = co_await answer_requests(stream, peer, visitor, seat);
  }
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
  Peer peer{.user = peer_user(accepted),
            .address = peer_address(accepted),
            .is_loopback = is_loopback(accepted)};
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

std::unique_ptr<Client> Server::make_client(std::unique_ptr<WebSocket> socket,
                                            const Request& request, User user) {
  const std::string_view target = view(request.target());
  const std::string_view path = path_of(target);
  if (path == kCompatiblePath)
    return std::make_unique<CompatibleClient>(executor_, std::move(socket), sessions_, operations_,
                                              std::move(user), query_parameter(target, "session"));
  if (path == kNativePath)
    return std::make_unique<NativeClient>(executor_, std::move(socket), sessions_, operations_,
                                          std::move(user), extensions_);
  const auto side = [&](std::string_view name, int otherwise) -> int {
    return wire::single::parse_dimension(query_parameter(target, name).value_or(""))
        .value_or(otherwise);
  };
  return std::make_unique<SingleClient>(
      executor_, std::move(socket), sessions_, operations_, std::move(user),
      vt::Size{.cols = side("cols", 80), .rows = side("rows", 24)});
}

// One timer for all clients, and none without clients, so that an idle daemon sleeps.
void Server::check_clients() {
  checking_.expires_after(settings_.ping_interval);
  checking_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    const auto now = std::chrono::steady_clock::now();
    for (Client* client : std::list<Client*>(clients_)) client->check(now, settings_.ping_timeout);
    end_withdrawn();
    check_clients();
  });
}

}  // namespace http
