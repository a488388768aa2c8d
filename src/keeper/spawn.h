// Starts a program in a clean process of its own, or says why it could not.

#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "keeper_protocol/confinement.h"
#include "keeper_protocol/protocol.h"

namespace keeper {

struct SpawnSpec {
  Kind kind = Kind::terminal;
  std::vector<std::string> argv;
  std::vector<std::string> env;  // NAME=value. If empty, the keeper's own.
  std::string cwd = "/";
  std::string label;  // The daemon's note about the child, returned unchanged.
  std::uint16_t rows = 24;
  std::uint16_t cols = 80;
  Confinement confinement;
};

struct Spawned {
  pid_t pid = 0;
  base::Fd output;   // The PTY master, or the pipe for stdout and stderr. Non-blocking.
  base::Fd slave;    // Keeps the PTY from hanging up while its leader lives.
  base::Fd outcome;  // Readable when the program has started or failed: see `outcome_of`.
};

// Forks. Moves the environment out of the spec. The child gets:
// - its own session and, for a terminal, its controlling terminal
// - default signals
// - only descriptors 0 to 2
// - the limit on open files that the keeper was started with
// - exactly the requested environment
// - the given cgroup, if any
// Whether the program could be executed is known when `outcome` is readable.
[[nodiscard]] base::Result<Spawned> spawn(SpawnSpec& spec, const rlimit& files,
                                          const base::Fd& cgroup);

// What the child reported: nothing yet, success, or why it failed.
[[nodiscard]] std::optional<base::Status> outcome_of(const base::Fd& outcome,
                                                     const SpawnSpec& spec);

}  // namespace keeper
