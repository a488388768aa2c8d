// Starting the keeper if none is running.

#pragma once

#include <filesystem>

#include "base/result.h"

namespace keeper {

// The installed keeper, which sits beside this program.
[[nodiscard]] std::filesystem::path keeper_program();

enum class Reached { running, started };

// Returns once a keeper can be reached in the runtime directory: the running one, or a new one that
// is fully detached from this process. Blocks while the keeper starts.
[[nodiscard]] base::Result<Reached> ensure_keeper(const std::filesystem::path& runtime_dir,
                                                  const std::filesystem::path& program);

// Waits for a keeper that another program starts. Blocks for ten seconds at most.
[[nodiscard]] base::Result<Reached> await_keeper(const std::filesystem::path& runtime_dir);

// Ends a keeper that was started in vain, if it holds nothing and nobody uses it.
void end_idle_keeper(const std::filesystem::path& runtime_dir);

}  // namespace keeper
