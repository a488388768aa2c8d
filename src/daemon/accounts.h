// Applies `user_accounts` and the terminal limits.

#pragma once

#include "base/result.h"
#include "config/config.h"
#include "keeper_protocol/confinement.h"

namespace holdfast {

// Fails if this process lacks the rights that `user_accounts` needs.
[[nodiscard]] base::Status check_accounts(const config::Config& config);

[[nodiscard]] keeper::Limits terminal_limits(const config::Config& config);

// With `user_accounts`, everybody on the machine may connect to the daemon's socket, which tells
// who they are. Without, only the daemon's own account may.
[[nodiscard]] base::Status open_to_accounts(const config::Config& config);

}  // namespace holdfast
