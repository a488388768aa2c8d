// What extensions are told by the daemon's configuration.

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "extension/runner.h"
#include "session/rows.h"

namespace extension {

using session::Isolation;

struct Settings {
  std::vector<std::filesystem::path> paths;
  std::filesystem::path directory;  // With extensions for every session.
  RunnerSettings runner;
  Isolation isolation = Isolation::thread;
  std::uint64_t memory = 256 * 1024 * 1024;  // Per worker.
  std::chrono::milliseconds stuck_after{10'000};
  std::size_t user_commands = 100;  // Shell commands that a user may run at once.
  std::string off{};                // Why extensions are off; empty: they are on.
};

}  // namespace extension
