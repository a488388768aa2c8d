// Consumes a child's output without looking at it, so that the child is not blocked. Ends with the
// output.

#pragma once

#include <memory>

#include <boost/asio/awaitable.hpp>

#include "terminal/keeper_client.h"

namespace terminal {

boost::asio::awaitable<void> drain(std::shared_ptr<AttachedChild> child);

}  // namespace terminal
