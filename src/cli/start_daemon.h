// Starts a daemon in the background, for commands that need one.

#pragma once

#include <sys/types.h>

#include "base/result.h"
#include "config/config.h"

namespace cli {

// Its log goes to daemon.log in the state directory. Returns its pid.
[[nodiscard]] base::Result<pid_t> launch_daemon(const config::Config& config);
// The same, but returns once it serves.
[[nodiscard]] base::Status start_daemon(const config::Config& config);

}  // namespace cli
