// Connections to a daemon elsewhere, encrypted if its address says so.

#pragma once

#include <boost/asio/awaitable.hpp>

#include "base/fd.h"
#include "base/result.h"
#include "cli/server.h"

namespace cli {

// Connects, in ten seconds at most. What is written to the descriptor is encrypted at its other end,
// by coroutines of the same executor, which end with the connection.
boost::asio::awaitable<base::Result<base::Fd>> open_tunnel(Server server);

}  // namespace cli
