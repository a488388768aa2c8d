// Questions to a keeper from a command, which has nothing else to do until it is answered.

#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"
#include "keeper/protocol.h"

namespace keeper {

struct Holding {
  Message keeper;                 // Its `welcome`.
  std::vector<Message> children;  // A `child` message for each.
};

// Asks the keeper of a runtime directory. Displaces nobody.
[[nodiscard]] base::Result<Holding> ask_holding(const std::filesystem::path& runtime_dir);

// Has it become another program, and returns that one's `welcome`.
[[nodiscard]] base::Result<Message> ask_upgrade(const std::filesystem::path& runtime_dir,
                                                const std::filesystem::path& program);

}  // namespace keeper
