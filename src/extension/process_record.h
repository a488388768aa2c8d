// Processes that outlive whoever started them, and must not be mistaken for a later one that was
// given the same number.

#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "session/rows.h"

namespace extension {

// None if it does not run.
[[nodiscard]] std::optional<session::ProcessRecord> record_of(pid_t pid);
[[nodiscard]] bool is_running(const session::ProcessRecord& process);

// Ends those that still run, politely first, and returns when they are gone.
boost::asio::awaitable<void> end_processes(std::vector<session::ProcessRecord> processes);

}  // namespace extension
