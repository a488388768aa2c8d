// One end of the daemon's control socket, which carries one JSON object per line.
// docs/operations.md explains upgrades; these are the messages:
//
//   command → daemon      {"ask":"upgrade","program":"/usr/bin/holdfast"}
//   daemon → command      {"say":"ready","version":…,"sessions":…,"terminals":…,"connections":…,
//                          "viewers":…}
//                      or {"say":"error","error":…,"advice":…}: nothing has changed
//   command → daemon      {"ask":"go"}; if it hangs up instead, nothing has changed
//   new daemon → command  {"say":"serves",…}, over the same connection, which outlives the execve
//                      or {"say":"failed","error":…,"advice":…}, and then the old one says
//                          that it serves
//
// {"ask":"status"} is answered with {"say":"status",…}, with the same fields as `ready`.

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

// A blocking end.
class ControlConnection {
 public:
  explicit ControlConnection(base::Fd socket) : socket_(std::move(socket)) {}

  [[nodiscard]] const base::Fd& socket() const { return socket_; }
  [[nodiscard]] base::Status send(const boost::json::object& line) const;
  // Fails with `not_found` if the peer has hung up.
  [[nodiscard]] base::Result<boost::json::object> receive(std::chrono::milliseconds limit);

 private:
  base::Fd socket_;
  std::string received_;
};

}  // namespace holdfast
