// What `user_accounts` and the limits of terminals mean to the daemon.

#pragma once

#include "base/result.h"
#include "config/config.h"
#include "keeper/confinement.h"

namespace holdfast {

// Whether this daemon can do what the configuration asks of it.
[[nodiscard]] base::Status check_accounts(const config::Config& config);

[[nodiscard]] keeper::Limits terminal_limits(const config::Config& config);

// With accounts everybody on the machine may connect to the daemon's socket, which tells who they
// are; without, nobody else.
[[nodiscard]] base::Status open_to_accounts(const config::Config& config);

}  // namespace holdfast
