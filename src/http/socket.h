// The stream that a client came by: TCP or a Unix socket, told apart only where it matters.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

namespace http {

using Protocol = boost::asio::generic::stream_protocol;
using Socket = Protocol::socket;
using Acceptor = boost::asio::basic_socket_acceptor<Protocol>;

// The user on the other side of a Unix socket; none for TCP.
[[nodiscard]] std::optional<uid_t> peer_user(Socket& socket);

// The address on the other side, without its port; `unix` for a Unix socket.
[[nodiscard]] std::string peer_address(const Socket& socket);
// What counts as one address when addresses are counted: of IPv6, where everybody has many, the
// /64 network; and of this machine, where everybody has 127.0.0.0/8, all of it.
[[nodiscard]] std::string counted_address(std::string_view address);

// A keystroke's echo is a small write that must not wait for more.
void send_at_once(Socket& socket);

}  // namespace http
