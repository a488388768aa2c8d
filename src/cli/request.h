// One HTTP request to the daemon over its Unix socket, where the kernel says who asks.

#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace cli {

// The body of the answer; an error with what the daemon said if it refused.
[[nodiscard]] base::Result<std::string> request(const std::filesystem::path& socket,
                                                const std::string& method,
                                                const std::string& target);

}  // namespace cli
