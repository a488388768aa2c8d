// One end of the daemon's control socket: JSON objects, a line each. docs/operations.md says what
// an upgrade is; this is how the command and the daemons speak of it.
//
//   command → daemon      {"ask":"upgrade","program":"/usr/bin/holdfast"}
//   daemon → command      {"say":"ready","version":…,"sessions":…,"terminals":…,"connections":…}
//                      or {"say":"error","error":…,"advice":…}: nothing has changed
//   command → daemon      {"ask":"go"}; if it hangs up instead, nothing has changed
//   new daemon → command  {"say":"serves",…}, over the same connection, which outlives the execve
//                      or {"say":"failed","error":…,"advice":…}, and then the old one: serves
//
// {"ask":"status"} is answered with {"say":"status",…}, which has what `ready` has.

#pragma once

#include <chrono>
#include <string>

#include <boost/json/object.hpp>

#include "base/error.h"
#include "base/fd.h"
#include "base/result.h"

namespace holdfast {

[[nodiscard]] boost::json::object error_line(const char* say, const base::Error& error);
[[nodiscard]] base::Error error_of(const boost::json::object& line);
[[nodiscard]] std::string text_in(const boost::json::object& line, const char* key);
[[nodiscard]] std::size_t count_in(const boost::json::object& line, const char* key);

// The end that waits for nothing else meanwhile.
class Line {
 public:
  explicit Line(base::Fd socket) : socket_(std::move(socket)) {}

  [[nodiscard]] const base::Fd& socket() const { return socket_; }
  [[nodiscard]] base::Status send(const boost::json::object& line) const;
  // `not_found` when the other side has hung up.
  [[nodiscard]] base::Result<boost::json::object> receive(std::chrono::milliseconds limit);

 private:
  base::Fd socket_;
  std::string received_;
};

}  // namespace holdfast
