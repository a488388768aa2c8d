// One HTTP request to the daemon over its Unix socket. The kernel tells the daemon who is asking.

#pragma once

#include <string>

#include "base/result.h"

namespace cli {

// Asks the configured daemon. Returns the body of the answer, or the daemon's error.
[[nodiscard]] base::Result<std::string> request(const std::string& method,
                                                const std::string& target);

}  // namespace cli
