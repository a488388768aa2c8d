#include "daemon/control_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace holdfast {

namespace json = boost::json;

namespace {

constexpr std::size_t kLongest = 64 * 1024;

bool wait_for(const base::Fd& socket, short what, std::chrono::milliseconds limit) {
  pollfd poll{.fd = socket.get(), .events = what, .revents = 0};
  return ::poll(&poll, 1, static_cast<int>(limit.count())) == 1;
}

}  // namespace

std::string text_in(const json::object& line, const char* key) {
  const json::value* const found = line.if_contains(key);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

std::size_t count_in(const json::object& line, const char* key) {
  const json::value* const found = line.if_contains(key);
  json::error_code error;
  const auto count = found == nullptr ? 0 : found->to_number<std::size_t>(error);
  return error ? 0 : count;
}

json::object error_line(const char* say, const base::Error& error) {
  return {{"say", say}, {"error", error.what}, {"advice", error.advice}};
}

base::Error error_of(const json::object& line) {
  return {.code = base::Code::unavailable,
          .what = text_in(line, "error"),
          .advice = text_in(line, "advice")};
}

base::Status ControlConnection::send(const json::object& line) const {
  const std::string bytes = json::serialize(line) + "\n";
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t sent = ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent >= 0)
      rest.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno == EAGAIN && wait_for(socket_, POLLOUT, std::chrono::seconds(5)))
      continue;
    else if (errno != EINTR)
      return base::fail(base::errno_error(errno, "send on the control socket"));
  }
  return {};
}

base::Result<json::object> ControlConnection::receive(std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    if (const auto newline = received_.find('\n'); newline != std::string::npos) {
      json::error_code error;
      const json::value line = json::parse(received_.substr(0, newline), error);
      received_.erase(0, newline + 1);
      if (!error && line.is_object()) return line.get_object();
      return base::fail(base::Code::corrupt, "invalid JSON on the control socket");
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || received_.size() > kLongest || !wait_for(socket_, POLLIN, left))
      return base::fail(base::Code::timed_out, "the daemon did not answer in time");
    std::array<char, 4096> bytes{};
    const ssize_t size = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
    if (size == 0) return base::fail(base::Code::not_found, "the daemon closed the connection");
    if (size < 0 && errno != EINTR && errno != EAGAIN)
      return base::fail(base::errno_error(errno, "read from the daemon"));
    if (size > 0) received_.append(bytes.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace holdfast
