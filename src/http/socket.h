// A client's socket: TCP or Unix. Only few places have to know which.

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

// The peer's uid on a Unix socket; none for TCP.
[[nodiscard]] std::optional<uid_t> peer_user(Socket& socket);

// The peer's address without its port; `unix` for a Unix socket.
[[nodiscard]] std::string peer_address(const Socket& socket);
// Whether both ends are loopback addresses, so the client is a program on this machine: also the
// end of a tunnel, as of `ssh -L`.
[[nodiscard]] bool is_loopback(const Socket& socket);
// What counts as one address for limits. IPv6 hosts have many addresses, so the /64 network counts
// as one. Everybody on this machine has all of 127.0.0.0/8, so loopback counts as one.
[[nodiscard]] std::string counted_address(std::string_view address);

// Sends small writes at once: a keystroke's echo must not wait for more data.
void send_at_once(Socket& socket);

}  // namespace http
