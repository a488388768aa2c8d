// daemon.log in the state directory: where a daemon logs if a command started it in the background.

#pragma once

#include <filesystem>

namespace holdfast {

[[nodiscard]] inline std::filesystem::path log_file(const std::filesystem::path& state_dir) {
  return state_dir / "daemon.log";
}

// If standard error is that file, bounds its size: after every 4 MB the file becomes daemon.log.1,
// and a new one begins. So there are at most two files, together about 8 MB.
void bound_log_file(const std::filesystem::path& state_dir);

}  // namespace holdfast
