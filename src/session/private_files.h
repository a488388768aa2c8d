// Directories and files that only their owner may use.

#pragma once

#include <filesystem>

#include "base/result.h"

namespace session {

// Creates the directory with mode 0700 if needed. Refuses one that others can write to.
[[nodiscard]] base::Status prepare_private_directory(const std::filesystem::path& dir);

// Creates an empty file with mode 0600 if needed, and removes others' access to an existing one.
// Never opens an existing file: closing it would drop this process's locks on it.
[[nodiscard]] base::Status prepare_private_file(const std::filesystem::path& path);

}  // namespace session
