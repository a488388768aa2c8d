// The log of a daemon that a command started in the background: daemon.log in the state directory.

#pragma once

#include <filesystem>

namespace holdfast {

[[nodiscard]] inline std::filesystem::path log_file(const std::filesystem::path& state_dir) {
  return state_dir / "daemon.log";
}

// If standard error is that file, keeps it small: when it has grown by 4 MB, it is renamed to
// daemon.log.1 and a new one is begun. So there are at most two files of about 8 MB.
void bound_log_file(const std::filesystem::path& state_dir);

}  // namespace holdfast
