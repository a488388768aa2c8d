// Finds the processes of a session in /proc.

#pragma once

#include <sys/types.h>

#include <vector>

#include "base/result.h"

namespace keeper {

// The living members of the session `sid`, its leader included. Zombies do not count.
[[nodiscard]] base::Result<std::vector<pid_t>> members_of_session(pid_t sid);

// Sends a signal to `pid` if it is in the session `sid`. Safe even if the pid has been reused.
void signal_member(pid_t pid, pid_t sid, int number);
// The same for each process of `group` that is in that session.
void signal_group(pid_t group, pid_t sid, int number);

}  // namespace keeper
