// Who is at the other end of a Unix socket. The kernel says it, so it can be trusted.

#pragma once

#include <sys/types.h>

#include "base/result.h"

namespace base {

struct Peer {
  pid_t pid = 0;
  uid_t uid = 0;
};
// As of the moment it connected, listened or made the pair. Takes the number because Asio owns its
// sockets.
[[nodiscard]] Result<Peer> peer_of(int socket);

}  // namespace base
