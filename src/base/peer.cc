#include "base/peer.h"

#include <sys/socket.h>

#include <cerrno>

namespace base {

Result<Peer> peer_of(int socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
    return fail(errno_error(errno, "get the socket's peer"));
  return Peer{.pid = credentials.pid, .uid = credentials.uid};
}

}  // namespace base
