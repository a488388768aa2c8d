// Starts a daemon in the background, for commands that need one.

#pragma once

#include "base/result.h"
#include "config/config.h"

namespace cli {

// Returns once it serves. Its log goes to daemon.log in the state directory.
[[nodiscard]] base::Status start_daemon(const config::Config& config);

}  // namespace cli
