// Starting a keeper where none runs.

#pragma once

#include <filesystem>

#include "base/result.h"

namespace terminal {

// The keeper's program as it is installed: beside this one.
[[nodiscard]] std::filesystem::path keeper_program();

enum class Reached { running, started };

// Returns when a keeper of the runtime directory can be reached: the one that runs, or a new one,
// which is detached from this process in every respect. Blocks for the time a start takes; call it
// before the loop runs.
[[nodiscard]] base::Result<Reached> ensure_keeper(const std::filesystem::path& runtime_dir,
                                                  const std::filesystem::path& program);

// Returns when a keeper that somebody else starts can be reached. Blocks, for ten seconds at most.
[[nodiscard]] base::Result<Reached> await_keeper(const std::filesystem::path& runtime_dir);

// Ends a keeper that was started in vain: one that holds nothing and that nobody uses.
void end_idle_keeper(const std::filesystem::path& runtime_dir);

}  // namespace terminal
