#include "cli/event_stream.h"

#include <chrono>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/json.hpp>

#include "cli/addressee.h"
#include "cli/connect.h"
#include "cli/server.h"
#include "daemon/control_connection.h"

namespace cli {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace json = boost::json;

namespace {

class Lines {
 public:
  explicit Lines(base::Fd socket) : stream_(io_) {
    boost::system::error_code error;
    stream_.assign(asio::local::stream_protocol(), socket.get(), error);
    if (!error) (void)socket.release();
  }

  [[nodiscard]] bool write(const http::request<http::empty_body>& request) {
    boost::system::error_code error;
    http::write(stream_, request, error);
    return !error;
  }
  // Without its end. None at the end of the stream.
  [[nodiscard]] std::optional<std::string> next() {
    boost::system::error_code error;
    const std::size_t size = asio::read_until(stream_, asio::dynamic_buffer(buffer_), '\n', error);
    if (error) return std::nullopt;
    std::string line = buffer_.substr(0, size - 1);
    buffer_.erase(0, size);
    if (line.ends_with('\r')) line.pop_back();
    return line;
  }
  // What follows, to its end.
  [[nodiscard]] std::string rest() {
    std::string all;
    while (const auto line = next()) all += *line;
    return all + buffer_;
  }

 private:
  asio::io_context io_;
  asio::local::stream_protocol::socket stream_;
  std::string buffer_;
};

base::Error lost() {
  return {.code = base::Code::unavailable,
          .what = "the daemon closed the connection",
          .advice = "See its log."};
}

base::Error refused(const std::string& body) {
  json::error_code error;
  const json::value problem = json::parse(body, error);
  if (error || !problem.is_object()) return lost();
  return {.code = base::Code::invalid_argument,
          .what = holdfast::text_in(problem.get_object(), "detail"),
          .advice = {}};
}

// One connection. `last` is the id of the last event, before and after.
base::Status read_once(const std::string& query, std::string& last,
                       const std::function<Next(const Event&)>& told, bool& is_over) {
  const auto server = given_server();
  if (!server) return base::fail(server.error());
  auto socket = connect_or_start();
  if (!socket) return base::fail(socket.error());
  http::request<http::empty_body> asked(http::verb::get,
                                        "/api/v1/events" + (last.empty() ? query : ""), 11);
  address(asked, *server);
  if (!last.empty()) asked.set("Last-Event-ID", last);
  Lines lines(*std::move(socket));
  if (!lines.write(asked)) return base::fail(lost());
  const auto status = lines.next();
  if (!status) return base::fail(lost());
  for (auto line = lines.next(); line && !line->empty();) line = lines.next();
  if (!status->starts_with("HTTP/1.1 200")) return base::fail(refused(lines.rest()));
  Event event;
  while (const auto line = lines.next()) {
    if (line->starts_with("id: ")) last = event.id = line->substr(4);
    if (line->starts_with("event: ")) event.type = line->substr(7);
    json::error_code error;
    if (line->starts_with("data: "))
      if (const json::value data = json::parse(line->substr(6), error); !error && data.is_object())
        event.data = data.get_object();
    if (!line->empty() || event.type.empty()) continue;
    if (event.type == "end") return base::fail(lost());
    is_over = told(event) == Next::stop;
    if (is_over) return {};
    event = {};
  }
  is_over = query.ends_with("follow=false");
  return is_over ? base::Status() : base::fail(lost());
}

}  // namespace

base::Status read_events(const std::string& query, const std::function<Next(const Event&)>& told) {
  std::string last;
  bool is_over = false;
  return read_once(query, last, told, is_over);
}

base::Status follow_events(const std::string& query,
                           const std::function<Next(const Event&)>& told) {
  constexpr int kMostFailures = 50;
  constexpr std::chrono::milliseconds kPause{100};
  std::string last;
  bool is_over = false;
  for (int failures = 0;;) {
    const std::string before = last;
    auto read = read_once(query, last, told, is_over);
    if (is_over) return read;
    failures = last == before ? failures + 1 : 0;
    if (read.error().code != base::Code::unavailable || failures > kMostFailures) return read;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace cli
