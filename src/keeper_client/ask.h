// Blocking requests to a keeper, for commands.

#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/program.h"
#include "base/result.h"
#include "base/verified_process.h"
#include "keeper_protocol/protocol.h"

namespace keeper {

struct Holding {
  Message keeper;                 // Its `welcome`.
  std::vector<Message> children;  // A `child` message for each.
};

// Asks the keeper of a runtime directory. Does not displace the owner.
[[nodiscard]] base::Result<Holding> ask_holding(const std::filesystem::path& runtime_dir);

// The pids of the running terminals, in ascending order. A restored terminal has another pid, so a
// pid names one terminal.
[[nodiscard]] std::vector<std::uint64_t> running_terminals(const Holding& holding);

// The processes of the keeper and of the daemon that owns its children. Empty if a process has
// ended, or if there is no daemon.
struct Processes {
  std::optional<base::VerifiedProcess> keeper;
  std::optional<base::VerifiedProcess> daemon;
};
[[nodiscard]] base::Result<Processes> ask_processes(const std::filesystem::path& runtime_dir);
// Whether a daemon owns the children. Takes half as long.
[[nodiscard]] base::Result<bool> ask_whether_owned(const std::filesystem::path& runtime_dir);

// Makes the keeper become another program.
struct Upgraded {
  Message keeper;     // The `welcome` of the new program.
  base::Fd previous;  // The program before, if that one was new enough to send it.
};
[[nodiscard]] base::Result<Upgraded> ask_upgrade(const std::filesystem::path& runtime_dir,
                                                 const base::Program& program);

}  // namespace keeper
