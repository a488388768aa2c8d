// Questions to a keeper from a command, which has nothing else to do until it is answered.

#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.h"
#include "keeper/program.h"
#include "keeper/protocol.h"
#include "keeper/verified_process.h"

namespace keeper {

struct Holding {
  Message keeper;                 // Its `welcome`.
  std::vector<Message> children;  // A `child` message for each.
};

// Asks the keeper of a runtime directory. Displaces nobody.
[[nodiscard]] base::Result<Holding> ask_holding(const std::filesystem::path& runtime_dir);

// The processes of the terminals that run, in ascending order. A terminal is named by its process:
// a second life would be another.
[[nodiscard]] std::vector<std::uint64_t> running_terminals(const Holding& holding);

// Its process, and that of the daemon that owns its children: none if it has ended or there is
// none.
struct Processes {
  std::optional<VerifiedProcess> keeper;
  std::optional<VerifiedProcess> daemon;
};
[[nodiscard]] base::Result<Processes> ask_processes(const std::filesystem::path& runtime_dir);

// Has it become another program.
struct Upgraded {
  Message keeper;     // That one's `welcome`,
  base::Fd previous;  // and the program that it was before, if it is new enough to tell.
};
[[nodiscard]] base::Result<Upgraded> ask_upgrade(const std::filesystem::path& runtime_dir,
                                                 const Program& program);

}  // namespace keeper
