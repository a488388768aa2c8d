#include "keeper/listeners.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>

#include "base/log.h"
#include "keeper_protocol/runtime_dir.h"

namespace keeper {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr const char* kForm = "Use the form 127.0.0.1:7420, [::1]:7420 or unix:/path.";

struct HostPort {
  std::string host;
  std::string port;
};

base::Result<HostPort> split(std::string_view address) {
  const auto colon = address.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == address.size())
    return base::fail(base::Code::invalid_argument,
                      "the address '" + std::string(address) + "' has no port", kForm);
  std::string_view host = address.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return HostPort{.host = std::string(host), .port = std::string(address.substr(colon + 1))};
}

base::Result<std::string> bound_address(const base::Fd& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) < 0)
    return base::fail(base::errno_error(errno, "get a socket's address"));
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  const int failed =
      ::getnameinfo(reinterpret_cast<sockaddr*>(&address), size, host.data(), host.size(),
                    port.data(), port.size(), NI_NUMERICHOST | NI_NUMERICSERV);
  if (failed != 0)
    return base::fail(base::Code::io,
                      std::string("get a socket's address: ") + ::gai_strerror(failed));
  const bool is_v6 = address.ss_family == AF_INET6;
  return (is_v6 ? "[" : "") + std::string(host.data()) + (is_v6 ? "]:" : ":") + port.data();
}

base::Result<Listener> listen_tcp(std::string_view asked) {
  const auto parts = split(asked);
  if (!parts) return base::fail(parts.error());
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(parts->host.c_str(), parts->port.c_str(), &hints, &found) != 0)
    return base::fail(base::Code::invalid_argument,
                      "'" + std::string(asked) + "' is not a numeric address", kForm);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> address(found, ::freeaddrinfo);

  base::Fd socket(::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return base::fail(base::errno_error(errno, "open a socket"));
  const int yes = 1;
  if (::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0)
    return base::fail(base::errno_error(errno, "prepare a socket"));
  if (::bind(socket.get(), address->ai_addr, address->ai_addrlen) < 0 ||
      ::listen(socket.get(), SOMAXCONN) < 0)
    return base::fail(
        base::errno_error(errno, "listen on " + std::string(asked),
                          "Choose another address or port, or stop the program that uses it."));
  auto bound = bound_address(socket);
  if (!bound) return base::fail(bound.error());
  return Listener{
      .asked = std::string(asked), .bound = std::move(*bound), .socket = std::move(socket)};
}

// Only in a directory that nobody else can write to, so that nobody can replace the socket.
base::Result<Listener> listen_unix(std::string_view asked) {
  const std::filesystem::path path(asked.substr(kUnix.size()));
  if (!path.is_absolute() || !path.has_filename())
    return base::fail(base::Code::invalid_argument,
                      "the socket path '" + path.native() + "' is not absolute", kForm);
  const auto dir = RuntimeDir::open(path.parent_path());
  if (!dir) return base::fail(dir.error());
  if (dir->is_served(path.filename()))
    return base::fail(base::Code::busy, "another process is listening on " + path.native());
  auto socket = dir->listen(path.filename(), SOCK_STREAM);
  if (!socket) return base::fail(socket.error());
  return Listener{
      .asked = std::string(asked), .bound = std::string(asked), .socket = std::move(*socket)};
}

}  // namespace

base::Result<const Listener*> Listeners::listen(std::string_view address) {
  const auto found = std::ranges::find_if(
      held_, [address](const Listener& listener) { return listener.is_at(address); });
  if (found != held_.end()) return &*found;
  auto made = address.starts_with(kUnix) ? listen_unix(address) : listen_tcp(address);
  if (!made) return base::fail(made.error());
  held_.push_back(std::move(*made));
  return &held_.back();
}

base::Status Listeners::unlisten(std::string_view address) {
  const auto count =
      std::erase_if(held_, [address](const Listener& listener) { return listener.is_at(address); });
  if (count == 0)
    return base::fail(base::Code::not_found, "nothing is listening on " + std::string(address));
  return {};
}

base::Status Listeners::hold(Listener listener) {
  int is_listening = 0;
  socklen_t size = sizeof is_listening;
  if (::getsockopt(listener.socket.get(), SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) < 0 ||
      is_listening == 0)
    return base::fail(base::Code::invalid_argument,
                      "the descriptor for " + listener.bound + " is not a listening socket");
  if (std::ranges::any_of(held_,
                          [&](const Listener& other) { return other.is_at(listener.bound); }))
    return {};
  held_.push_back(std::move(listener));
  return {};
}

void Listeners::listen_only(const std::vector<std::string>& addresses) {
  std::erase_if(held_, [&](const Listener& listener) {
    const bool is_wanted = std::ranges::any_of(
        addresses, [&](const std::string& address) { return listener.is_at(address); });
    if (!is_wanted)
      base::log(base::Level::info, "no longer listening", {{"address", listener.bound}});
    return !is_wanted;
  });
}

}  // namespace keeper
