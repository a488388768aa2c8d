#include "http/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace http {

std::optional<uid_t> peer_user(Socket& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  int domain = 0;
  socklen_t domain_size = sizeof domain;
  const int fd = socket.native_handle();
  if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &domain_size) < 0 || domain != AF_UNIX)
    return std::nullopt;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return std::nullopt;
  return peer.uid;
}

void send_at_once(Socket& socket) {
  const int yes = 1;
  // Fails on a Unix socket, which needs no telling.
  ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

}  // namespace http
