#include "cli/request.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "cli/connect.h"

namespace cli {

namespace asio = boost::asio;
namespace beast = boost::beast;

base::Result<std::string> request(const std::string& method, const std::string& target) {
  auto socket = connect_to_daemon();
  if (!socket) return base::fail(socket.error());
  asio::io_context io;
  beast::error_code error;
  asio::local::stream_protocol::socket stream(io);
  stream.assign(asio::local::stream_protocol(), socket->get(), error);
  if (error)
    return base::fail(base::Code::unavailable, "cannot use the connection: " + error.message());
  (void)socket->release();
  beast::http::request<beast::http::empty_body> asked(beast::http::string_to_verb(method), target,
                                                      11);
  asked.set(beast::http::field::host, "localhost");
  asked.keep_alive(false);
  asked.prepare_payload();
  beast::http::write(stream, asked, error);
  beast::flat_buffer buffer;
  beast::http::response<beast::http::string_body> answer;
  if (!error) beast::http::read(stream, buffer, answer, error);
  if (error)
    return base::fail(base::Code::unavailable,
                      "the daemon closed the connection: " + error.message(), "See its log.");
  std::string body = std::move(answer.body());
  while (body.ends_with('\n')) body.pop_back();
  if (answer.result() == beast::http::status::ok) return body;
  return base::fail(base::Code::invalid_argument, std::move(body));
}

}  // namespace cli
