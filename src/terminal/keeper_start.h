// Starting a keeper where none runs.

#pragma once

#include <filesystem>

#include "base/result.h"

namespace terminal {

// The keeper's program as it is installed: beside this one.
[[nodiscard]] std::filesystem::path keeper_program();

// Returns when a keeper of the runtime directory can be reached: the one that runs, or a new one,
// which is detached from this process in every respect. Blocks for the time a start takes; call it
// before the loop runs.
[[nodiscard]] base::Status ensure_keeper(const std::filesystem::path& runtime_dir,
                                         const std::filesystem::path& program);

}  // namespace terminal
