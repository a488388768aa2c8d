#include "http/socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

#include <boost/asio/ip/address.hpp>

#include "base/peer.h"

namespace http {

std::optional<uid_t> peer_user(Socket& socket) {
  int domain = 0;
  socklen_t domain_size = sizeof domain;
  const int fd = socket.native_handle();
  if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &domain_size) < 0 || domain != AF_UNIX)
    return std::nullopt;
  const auto peer = base::peer_of(fd);
  if (!peer) return std::nullopt;
  return peer->uid;
}

namespace {

constexpr std::string_view kLoopback = "loopback";

// Without the port; `unix` for a Unix socket.
std::string address_of(const Protocol::endpoint& endpoint) {
  const auto* address = static_cast<const sockaddr*>(endpoint.data());
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address->sa_family == AF_INET) {
    const auto* four = reinterpret_cast<const sockaddr_in*>(address);
    return ::inet_ntop(AF_INET, &four->sin_addr, text.data(), text.size());
  }
  if (address->sa_family != AF_INET6) return "unix";
  const auto* six = reinterpret_cast<const sockaddr_in6*>(address);
  const std::string_view written = ::inet_ntop(AF_INET6, &six->sin6_addr, text.data(), text.size());
  constexpr std::string_view kMapped = "::ffff:";
  const bool is_mapped = IN6_IS_ADDR_V4MAPPED(&six->sin6_addr);
  return std::string(is_mapped ? written.substr(kMapped.size()) : written);
}

}  // namespace

std::string peer_address(const Socket& socket) {
  boost::system::error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  return error ? "unknown" : address_of(endpoint);  // It may be gone already.
}

bool is_loopback(const Socket& socket) {
  boost::system::error_code error;
  const auto remote = socket.remote_endpoint(error);
  if (error) return false;
  const auto local = socket.local_endpoint(error);
  return !error && counted_address(address_of(remote)) == kLoopback &&
         counted_address(address_of(local)) == kLoopback;
}

std::string counted_address(std::string_view address) {
  namespace ip = boost::asio::ip;
  boost::system::error_code error;
  ip::address parsed = ip::make_address(std::string(address), error);
  if (error) return std::string(address);
  if (parsed.is_v6() && parsed.to_v6().is_v4_mapped())
    parsed = ip::make_address_v4(ip::v4_mapped, parsed.to_v6());
  if (parsed.is_loopback()) return std::string(kLoopback);
  if (parsed.is_v4()) return parsed.to_string();
  auto bytes = parsed.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), 0);
  return boost::asio::ip::address_v6(bytes).to_string() + "/64";
}

void send_at_once(Socket& socket) {
  const int yes = 1;
  // Fails on a Unix socket, which does not need it.
  ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

}  // namespace http
