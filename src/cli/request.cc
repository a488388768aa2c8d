#include "cli/request.h"

#include <chrono>
#include <cstdio>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/json.hpp>

#include "cli/addressee.h"
#include "cli/connect.h"
#include "daemon/control_connection.h"

namespace cli {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace json = boost::json;

namespace {

struct Reply {
  bool is_good = false;
  std::string body;
};

// One request over a connection to the daemon, which is elsewhere if `server` is set.
base::Result<Reply> ask(base::Fd socket, const std::optional<Server>& server,
                        const std::string& method, const std::string& target,
                        const std::string& body, const Headers& headers = {},
                        TimeLimit limit = {}) {
  asio::io_context io;
  beast::error_code error;
  asio::local::stream_protocol::socket stream(io);
  stream.assign(asio::local::stream_protocol(), socket.get(), error);
  if (error)
    return base::fail(base::Code::unavailable, "cannot use the connection: " + error.message());
  (void)socket.release();
  beast::http::request<beast::http::string_body> asked(beast::http::string_to_verb(method), target,
                                                       11);
  address(asked, server);
  if (!body.empty()) asked.set(beast::http::field::content_type, "application/json");
  for (const auto& [name, value] : headers) asked.set(name, value);
  asked.body() = body;
  asked.keep_alive(false);
  asked.prepare_payload();
  beast::flat_buffer buffer;
  beast::http::response_parser<beast::http::string_body> answer;
  answer.body_limit(boost::none);  // A long history may be large; the daemon is trusted.
  // Not run_for, which wakes up every second.
  asio::steady_timer until_late(io);
  bool is_late = false;
  if (limit) {
    until_late.expires_after(*limit);
    until_late.async_wait([&](const beast::error_code& outcome) {
      is_late = !outcome;
      if (is_late) io.stop();
    });
  }
  const auto done = [&](const beast::error_code& outcome, std::size_t) {
    error = outcome;
    until_late.cancel();
  };
  beast::http::async_write(stream, asked, [&](const beast::error_code& outcome, std::size_t size) {
    if (outcome) return done(outcome, size);
    beast::http::async_read(stream, buffer, answer, done);
  });
  io.run();
  if (is_late)
    return base::fail(base::Code::unavailable, "the daemon does not answer", "See its log.");
  if (error)
    return base::fail(base::Code::unavailable,
                      "the daemon closed the connection: " + error.message(), "See its log.");
  return Reply{
      .is_good = to_status_class(answer.get().result()) == beast::http::status_class::successful,
      .body = std::move(answer.get().body())};
}

base::Result<std::string> text_of(base::Result<Reply> reply) {
  if (!reply) return base::fail(reply.error());
  while (reply->body.ends_with('\n')) reply->body.pop_back();
  if (reply->is_good) return std::move(reply->body);
  return base::fail(base::Code::invalid_argument, std::move(reply->body));
}

// The codes that commands tell apart.
base::Code code_of(const std::string& name) {
  if (name == "unavailable") return base::Code::unavailable;
  return name == "not_found" ? base::Code::not_found : base::Code::invalid_argument;
}

base::Result<std::string> text_of_call(const std::string& method, const std::string& target,
                                       const json::object& body, TimeLimit limit = {}) {
  auto socket = connect_or_start();
  if (!socket) return base::fail(socket.error());
  const auto server = given_server();
  if (!server) return base::fail(server.error());
  auto reply = ask(std::move(*socket), *server, method, "/api/v1" + target,
                   body.empty() ? "" : json::serialize(body), {}, limit);
  if (!reply) return base::fail(reply.error());
  if (reply->is_good) return std::move(reply->body);
  json::error_code error;
  const json::value problem = json::parse(reply->body, error);
  if (error || !problem.is_object())
    return base::fail(base::Code::corrupt, "cannot read the daemon's answer");
  const json::object& why = problem.get_object();
  return base::fail(code_of(holdfast::text_in(why, "code")), holdfast::text_in(why, "detail"));
}

}  // namespace

base::Result<std::string> request(const std::string& method, const std::string& target) {
  auto socket = connect_or_start();
  if (!socket) return base::fail(socket.error());
  return text_of(ask(std::move(*socket), std::nullopt, method, target, ""));
}

base::Result<std::string> request_of(const Server& server, const std::string& method,
                                     const std::string& target) {
  auto socket = connect_to(server);
  if (!socket) return base::fail(socket.error());
  return text_of(ask(std::move(*socket), server, method, target, ""));
}

base::Result<std::string> post(base::Fd socket, const std::string& target, const Headers& headers,
                               const std::string& body) {
  const auto server = given_server();
  if (!server) return base::fail(server.error());
  auto reply = ask(std::move(socket), *server, "POST", target, body, headers);
  if (!reply) return base::fail(reply.error());
  return std::move(reply->body);
}

base::Result<int> print_answer(const std::string& target) {
  const auto text = text_of_call("GET", target, {});
  if (!text) return base::fail(text.error());
  std::printf("%s\n", text->c_str());
  return 0;
}

base::Result<json::object> call(const std::string& method, const std::string& target,
                                const json::object& body, TimeLimit limit) {
  const auto text = text_of_call(method, target, body, limit);
  if (!text) return base::fail(text.error());
  json::error_code error;
  json::value answer = json::parse(*text, error);
  if (error || !answer.is_object())
    return base::fail(base::Code::corrupt, "cannot read the daemon's answer");
  return std::move(answer.get_object());
}

base::Result<json::object> call_patiently(const std::string& method, const std::string& target,
                                          const json::object& body) {
  constexpr int kMostFailures = 50;
  constexpr std::chrono::milliseconds kPause{100};
  for (int failures = 0;; ++failures) {
    auto answer = call(method, target, body);
    if (answer || answer.error().code != base::Code::unavailable || failures == kMostFailures)
      return answer;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace cli
