// Identifies processes that outlive their parent, so that none is mistaken for a later one with the
// same pid.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "session/rows.h"

namespace extension {

// None if it is not running.
[[nodiscard]] std::optional<session::ProcessRecord> record_of(pid_t pid);
// Of those that are running.
[[nodiscard]] std::vector<session::ProcessRecord> records_of(const std::vector<std::int64_t>& pids);
[[nodiscard]] bool is_running(const session::ProcessRecord& process);

// Ends those that still run, SIGTERM first, and returns when they are gone.
boost::asio::awaitable<void> end_processes(std::vector<session::ProcessRecord> processes);

}  // namespace extension
