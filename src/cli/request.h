// HTTP requests to the daemon over its Unix socket. The kernel tells the daemon who is asking.

#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "base/fd.h"
#include "base/result.h"

namespace cli {

// Asks the configured daemon. Returns the body of the answer, or the daemon's error.
[[nodiscard]] base::Result<std::string> request(const std::string& method,
                                                const std::string& target);

struct Reply {
  bool is_good = false;
  std::string body;
};
// One request over a connection to the daemon.
[[nodiscard]] base::Result<Reply> ask(base::Fd socket, const std::string& method,
                                      const std::string& target, const std::string& body = {});

// Calls an operation of the HTTP API. `target` is the path below /api/v1.
[[nodiscard]] base::Result<boost::json::object> call(const std::string& method,
                                                     const std::string& target,
                                                     const boost::json::object& body = {});
// The same, as the text that the daemon sent.
[[nodiscard]] base::Result<std::string> call_for_text(const std::string& method,
                                                      const std::string& target,
                                                      const boost::json::object& body = {});

}  // namespace cli
