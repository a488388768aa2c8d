// What runs: the keeper and the daemon of the configured runtime directory.

#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "config/config.h"

namespace cli {

struct RunningProcess {
  std::uint64_t pid = 0;
  std::string version;  // Empty if it does not say.
  std::chrono::seconds uptime{0};
  std::uint64_t memory = 0;  // Bytes that are in memory.
};

struct Running {
  // Without a keeper there is no terminal. Without a daemon the terminals go on.
  std::optional<RunningProcess> keeper;
  std::optional<RunningProcess> daemon;
  std::size_t terminals = 0;  // Those that run.
  // What the daemon serves.
  std::size_t sessions = 0;
  std::size_t connections = 0;
  std::size_t viewers = 0;
};

// Starts nothing. It is no error if nothing runs.
[[nodiscard]] base::Result<Running> what_runs(const config::Config& config);

// "1 terminal", "2 terminals".
[[nodiscard]] std::string count_of(std::size_t count, const std::string& what);
// "3 d 4 h", "5 min 2 s".
[[nodiscard]] std::string in_words(std::chrono::seconds time);
// "12.3 MB".
[[nodiscard]] std::string in_bytes(std::uint64_t bytes);

}  // namespace cli
