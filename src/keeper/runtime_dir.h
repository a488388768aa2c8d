// The directory of a keeper: its socket, and the lock that makes it the only one there.

#pragma once

#include <filesystem>

#include "base/fd.h"
#include "base/result.h"

namespace keeper {

// Makes the directory if it is not there, mode 0700, and refuses one that others could write to or
// that is not ours.
[[nodiscard]] base::Status prepare_runtime_dir(const std::filesystem::path& dir);

// Takes the keeper's lock; `busy` names the keeper that has it. Held while the Fd, or a copy of it,
// is open.
[[nodiscard]] base::Result<base::Fd> lock_runtime_dir(const std::filesystem::path& dir);
// Writes this process's pid into the lock, for whoever finds it taken.
[[nodiscard]] base::Status sign_lock(const base::Fd& lock);

}  // namespace keeper
