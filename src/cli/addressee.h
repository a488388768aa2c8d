// What a request says of the daemon that it is for, whatever carries it.

#pragma once

#include <optional>

#include <boost/beast/http/fields.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "base/result.h"
#include "cli/server.h"

namespace cli {

// Sets Host and, if the daemon is elsewhere, the token. On this machine the kernel tells the daemon
// who asks.
void address(boost::beast::http::fields& request, const std::optional<Server>& server);

// For functions that want a host before they let `address` set the right one.
inline constexpr const char* kAnyHost = "localhost";

// A WebSocket that the daemon does not open.
[[nodiscard]] base::Error refused(const boost::beast::websocket::response_type& answer);

}  // namespace cli
