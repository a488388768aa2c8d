// HTTP requests to the daemon over its Unix socket. The kernel tells the daemon who is asking.

#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "base/result.h"

namespace cli {

// Asks the configured daemon. Returns the body of the answer, or the daemon's error.
[[nodiscard]] base::Result<std::string> request(const std::string& method,
                                                const std::string& target);

// Calls an operation of the HTTP API; starts a daemon if none runs. `target` is the path below
// /api/v1.
[[nodiscard]] base::Result<boost::json::object> call(const std::string& method,
                                                     const std::string& target,
                                                     const boost::json::object& body = {});
// Prints the answer to a GET as the daemon sent it, for --json. Returns the exit status.
[[nodiscard]] base::Result<int> print_answer(const std::string& target);

}  // namespace cli
