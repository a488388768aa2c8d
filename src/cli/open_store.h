// The store, for commands that work without a daemon.

#pragma once

#include <filesystem>

#include "base/result.h"
#include "session/store.h"

namespace cli {

// A command can wait longer than a daemon. It must not set aside a damaged file, because a daemon
// may be using it.
[[nodiscard]] base::Result<session::Store> open_store(const std::filesystem::path& state_dir);

}  // namespace cli
