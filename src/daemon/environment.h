// What a terminal's program finds when it starts.

#pragma once

#include <string>
#include <vector>

namespace holdfast {

[[nodiscard]] std::string home_directory();

// This process's environment, without what is the daemon's own, secrets among it, or another
// terminal's.
[[nodiscard]] std::vector<std::string> terminal_environment(const std::string& shell);

}  // namespace holdfast
