// Starting a program in a clean process of its own. It succeeds, or says why it did not.

#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "keeper/confinement.h"
#include "keeper/protocol.h"

namespace keeper {

struct SpawnSpec {
  Kind kind = Kind::terminal;
  std::vector<std::string> argv;
  std::vector<std::string> env;  // NAME=value; none at all means the keeper's own.
  std::string cwd = "/";
  std::string label;  // The daemon's own note about the child, returned as it came.
  std::uint16_t rows = 24;
  std::uint16_t cols = 80;
  Confinement confinement;
};

struct Spawned {
  pid_t pid = 0;
  base::Fd output;  // The PTY master, or the pipe that stdout and stderr go to; non-blocking.
  base::Fd slave;  // The PTY's other side, so that the PTY does not hang up while its leader lives.
  base::Fd outcome;  // Readable when the program runs or could not be run: see `outcome_of`.
};

// Forks, and uses the spec's environment up. The child has its own session (and controlling
// terminal), default signals, no descriptors but 0 to 2, the limit on open files that the keeper
// was started with, and exactly the environment asked for. It is in the cgroup whose directory is
// given. Whether the program could be run is known when `outcome` can be read.
[[nodiscard]] base::Result<Spawned> spawn(SpawnSpec& spec, const rlimit& files,
                                          const base::Fd& cgroup);

// What the child reported: nothing yet, that the program runs, or why it does not.
[[nodiscard]] std::optional<base::Status> outcome_of(const base::Fd& outcome,
                                                     const SpawnSpec& spec);

// The texts as exec wants them: pointers, ending with a null. Valid as long as the texts.
[[nodiscard]] std::vector<char*> pointers_to(const std::vector<std::string>& texts);

// The keeper's own environment without what is the daemon's, systemd's or another terminal's
// business.
[[nodiscard]] std::vector<std::string> clean_environment(const char* const* environment);

}  // namespace keeper
