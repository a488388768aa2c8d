// `holdfast run SESSION LINE`: the command bar from a shell. It speaks the native protocol over the
// daemon's Unix socket.

#pragma once

#include <string>

#include "base/result.h"

namespace cli {

// Runs a line as the command bar does. Returns the exit status.
[[nodiscard]] base::Result<int> run_line(const std::string& session, const std::string& line);

}  // namespace cli
