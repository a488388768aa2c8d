// The streams that requests arrive on: plain, or wrapped in TLS. Code for streams is a template
// over these two, so that TLS costs plain ones nothing.

#pragma once

#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/stream_traits.hpp>

#include "http/socket.h"

namespace http {

using PlainStream = boost::beast::basic_stream<Protocol>;
using TlsStream = boost::asio::ssl::stream<PlainStream>;

[[nodiscard]] inline Socket& socket_of(Socket& socket) {
  return socket;
}
[[nodiscard]] inline Socket& socket_of(PlainStream& stream) {
  return stream.socket();
}
[[nodiscard]] inline Socket& socket_of(TlsStream& stream) {
  return stream.next_layer().socket();
}

}  // namespace http
