// Directories and files that are for their owner alone.

#pragma once

#include <filesystem>

#include "base/result.h"

namespace session {

// Makes the directory, mode 0700, if it is not there. Refuses one in which others could put files.
[[nodiscard]] base::Status prepare_private_directory(const std::filesystem::path& dir);

// Makes an empty file, mode 0600, if it is not there, and takes what is there from others' reach.
// Never opens a file that exists: closing it would drop the locks this process has on it.
[[nodiscard]] base::Status prepare_private_file(const std::filesystem::path& path);

}  // namespace session
