#include "cli/tunnel.h"

#include <openssl/x509_vfy.h>

#include <array>
#include <chrono>
#include <memory>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace cli {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::awaitable;
using asio::ip::tcp;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kPatience{10};

base::Error unreachable(const Server& server, const std::string& why) {
  return {.code = base::Code::unavailable,
          .what = "cannot connect to " + server.address.url() + ": " + why,
          .advice = ""};
}

// Whoever can listen on the way could use the token.
base::Status check_secrecy(const Server& server, const tcp::endpoint& endpoint) {
  if (server.address.uses_tls || server.may_be_readable || endpoint.address().is_loopback())
    return {};
  return base::fail(base::Code::permission_denied,
                    "the token would go to " + server.address.url() + " unencrypted",
                    "Use https, or --plain-http if nobody can read along on the network.");
}

awaitable<base::Result<tcp::socket>> dial(const Server& server) {
  const auto executor = co_await asio::this_coro::executor;
  tcp::resolver resolver(executor);
  const auto [unknown, found] =
      co_await resolver.async_resolve(server.address.host, server.address.port, kNoThrow);
  if (unknown) co_return base::fail(unreachable(server, unknown.message()));
  tcp::socket socket(executor);
  boost::system::error_code failed = asio::error::host_not_found;
  for (const auto& each : found) {
    if (auto secret = check_secrecy(server, each.endpoint()); !secret)
      co_return base::fail(secret.error());
    boost::system::error_code ignored;
    socket.close(ignored);
    const auto [error] = co_await socket.async_connect(each.endpoint(), kNoThrow);
    if (!error) co_return socket;
    failed = error;
  }
  co_return base::fail(unreachable(server, failed.message()));
}

// What both directions need, as long as one of them is left.
struct Tunnel {
  ssl::context context{ssl::context::tls_client};
  std::optional<ssl::stream<tcp::socket>> server;
  std::optional<asio::local::stream_protocol::socket> here;
};

// Either side's end ends the other.
template <class From, class To>
awaitable<void> copy(std::shared_ptr<Tunnel> tunnel, From& from, To& to) {
  std::array<char, 16 * 1024> bytes{};
  for (;;) {
    const auto [error, size] = co_await from.async_read_some(asio::buffer(bytes), kNoThrow);
    if (error) break;
    const auto [broken, written] =
        co_await asio::async_write(to, asio::buffer(bytes, size), kNoThrow);
    if (broken) break;
  }
  boost::system::error_code ignored;
  tunnel->here->close(ignored);
  tunnel->server->next_layer().close(ignored);
}

base::Status expect(ssl::stream<tcp::socket>& stream, const Server& server) {
  stream.set_verify_mode(ssl::verify_peer);
  const std::string& host = server.address.host;
  X509_VERIFY_PARAM* const wanted = ::SSL_get0_param(stream.native_handle());
  if (::X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1 ||
      (::X509_VERIFY_PARAM_set1_host(wanted, host.c_str(), host.size()) == 1 &&
       ::SSL_set_tlsext_host_name(stream.native_handle(), host.c_str()) == 1))
    return {};
  return base::fail(unreachable(server, "not a name that a certificate can have"));
}

base::Error refused(ssl::stream<tcp::socket>& stream, const Server& server,
                    const boost::system::error_code& error) {
  const long verdict = ::SSL_get_verify_result(stream.native_handle());
  if (verdict == X509_V_OK) return unreachable(server, error.message());
  return {.code = base::Code::permission_denied,
          .what = "the certificate of " + server.address.url() +
                  " is not trusted: " + ::X509_verify_cert_error_string(verdict),
          .advice = "If you trust it, name the file with its issuer's certificate with --ca."};
}

awaitable<base::Result<base::Fd>> encrypted(const Server& server, tcp::socket socket) {
  const auto executor = co_await asio::this_coro::executor;
  const auto tunnel = std::make_shared<Tunnel>();
  boost::system::error_code error;
  if (server.ca.empty())
    tunnel->context.set_default_verify_paths(error);
  else
    tunnel->context.load_verify_file(server.ca.native(), error);
  if (error)
    co_return base::fail(base::Code::invalid_argument,
                         "cannot read the certificates to trust: " + error.message(),
                         "Check --ca " + server.ca.native());
  auto& stream = tunnel->server.emplace(std::move(socket), tunnel->context);
  if (auto set = expect(stream, server); !set) co_return base::fail(set.error());
  const auto [failed] = co_await stream.async_handshake(ssl::stream_base::client, kNoThrow);
  if (failed) co_return base::fail(refused(stream, server, failed));
  auto& here = tunnel->here.emplace(executor);
  asio::local::stream_protocol::socket there(executor);
  asio::local::connect_pair(here, there, error);
  if (error) co_return base::fail(unreachable(server, error.message()));
  asio::co_spawn(executor, copy(tunnel, here, stream), asio::detached);
  asio::co_spawn(executor, copy(tunnel, stream, here), asio::detached);
  co_return base::Fd(there.release(error));
}

awaitable<base::Result<base::Fd>> connect(const Server& server) {
  auto socket = co_await dial(server);
  if (!socket) co_return base::fail(socket.error());
  if (server.address.uses_tls) co_return co_await encrypted(server, *std::move(socket));
  boost::system::error_code error;
  socket->native_non_blocking(false, error);
  if (!error) co_return base::Fd(socket->release(error));
  co_return base::fail(unreachable(server, error.message()));
}

}  // namespace

awaitable<base::Result<base::Fd>> open_tunnel(Server server) {
  using namespace asio::experimental::awaitable_operators;
  asio::steady_timer timer(co_await asio::this_coro::executor, kPatience);
  auto outcome = co_await (connect(server) || timer.async_wait(kNoThrow));
  if (outcome.index() == 1) co_return base::fail(unreachable(server, "it did not answer in time"));
  co_return std::get<0>(std::move(outcome));
}

}  // namespace cli
