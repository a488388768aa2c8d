// Identifies processes that outlive their parent, so that none is mistaken for a later one with the
// same pid.

#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "session/rows.h"

namespace extension {

// None if it is not running.
[[nodiscard]] std::optional<session::ProcessRecord> record_of(pid_t pid);
[[nodiscard]] bool is_running(const session::ProcessRecord& process);

// Ends those that still run, SIGTERM first, and returns when they are gone.
boost::asio::awaitable<void> end_processes(std::vector<session::ProcessRecord> processes);

}  // namespace extension
