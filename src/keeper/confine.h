// Confines a child to its account and limits. This runs in the child between fork and exec: false,
// with errno set, if the program must not be executed.

#pragma once

#include "keeper_protocol/confinement.h"

namespace keeper {

// Irrevocable: keeps no previous identity, group or capability.
[[nodiscard]] bool become_account(const Account& account);
// Only lowers limits.
[[nodiscard]] bool apply_limits(const Limits& limits);

}  // namespace keeper
