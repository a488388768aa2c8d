// One HTTP request to the daemon over its Unix socket, where the kernel says who asks.

#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace cli {

// The body of the answer; an error with what the daemon said if it refused.
[[nodiscard]] base::Result<std::string> request(base::Fd socket, const std::string& method,
                                                const std::string& target);

}  // namespace cli
