#include "http/server.h"

#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/basic_stream.hpp>
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
      checking_(executor) {}

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
  co_await connections_.join();
}

awaitable<void> Server::serve(Socket accepted) {
  send_at_once(accepted);
  const Peer peer{.user = peer_user(accepted)};
  beast::basic_stream<Protocol> stream(std::move(accepted));
  const auto registered = requests_.insert(requests_.end(), &stream.socket());
  beast::flat_buffer buffer;
  std::optional<Request> upgrade;
  User user;
  for (;;) {
    beast::http::request_parser<beast::http::string_body> parser;
    parser.header_limit(kLargestHeader);
    parser.body_limit(kLargestBody);
    stream.expires_after(kRequestTime);
    const auto [read_error, read_size] =
        co_await beast::http::async_read(stream, buffer, parser, kNoThrow);
    if (read_error) break;
    auto response = answer(parser.get(), peer, user);
    if (!response) {
      upgrade = parser.release();
      break;
    }
    ++requests_served_;
    const bool keep = response->keep_alive() && !stopping_;
    const auto [write_error, write_size] =
        co_await beast::http::async_write(stream, *response, kNoThrow);
    if (write_error || !keep) break;
  }
  requests_.erase(registered);
  if (!upgrade || stopping_) {
    boost::system::error_code ignored;  // The other side may have closed already.
    stream.socket().shutdown(Socket::shutdown_send, ignored);
    co_return;
  }
  stream.expires_never();
  co_await serve_websocket(stream.release_socket(), std::move(*upgrade), std::move(user));
}

awaitable<void> Server::serve_websocket(Socket socket, Request request, User user) {
  const bool is_native = path_of(view(request.target())) == kNativePath;
  auto accepted = co_await accept_websocket(std::move(socket), request,
                                            is_native ? wire::native::kProtocol : "");
  if (!accepted || stopping_) co_return;
  const auto client = make_client(std::move(accepted), request, std::move(user));
  const auto registered = clients_.insert(clients_.end(), client.get());
  if (clients_.size() == 1) check_clients();
  co_await client->run();
  clients_.erase(registered);
  if (clients_.empty()) checking_.cancel();
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
    for (Client* client : std::list<Client*>(clients_)) client->check(now, settings_.ping_timeout);
    check_clients();
  });
}

}  // namespace http
