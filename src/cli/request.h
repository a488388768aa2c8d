// HTTP requests to the daemon over its Unix socket, where the kernel tells it who is asking; or to
// the --server, with a token.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

#include "base/fd.h"
#include "base/result.h"
#include "cli/server.h"

namespace cli {

// Asks the configured daemon, and starts it if none runs. Returns the body of the answer, or the daemon's error.
[[nodiscard]] base::Result<std::string> request(const std::string& method,
                                                const std::string& target);
// Asks that server.
[[nodiscard]] base::Result<std::string> request_of(const Server& server, const std::string& method,
                                                   const std::string& target);

using Headers = std::vector<std::pair<std::string, std::string>>;
// Posts over a connection to the daemon. Returns the body of the answer, whatever its status.
[[nodiscard]] base::Result<std::string> post(base::Fd socket, const std::string& target,
                                             const Headers& headers, const std::string& body);

using TimeLimit = std::optional<std::chrono::milliseconds>;

// Calls an operation of the HTTP API; starts a daemon if none runs. `target` is the path below
// /api/v1. A daemon that has not answered at the limit is `unavailable`.
[[nodiscard]] base::Result<boost::json::object> call(const std::string& method,
                                                     const std::string& target,
                                                     const boost::json::object& body = {},
                                                     TimeLimit limit = {});
// The same for what can be asked again without harm: tries again for some seconds while the daemon is
// away, as after `kill -9`.
[[nodiscard]] base::Result<boost::json::object> call_patiently(const std::string& method,
                                                               const std::string& target,
                                                               const boost::json::object& body);
// Prints the answer to a GET as the daemon sent it, for --json. Returns the exit status.
[[nodiscard]] base::Result<int> print_answer(const std::string& target);

}  // namespace cli
