// A child's own cgroup (version 2). It holds everything that the child ever started.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "keeper_protocol/confinement.h"

namespace keeper {

class Cgroup {
 public:
  // An existing cgroup.
  explicit Cgroup(std::filesystem::path path) : path_(std::move(path)) {}

  // Creates one below `parent`. Its name is world-readable and reveals nothing about the child.
  [[nodiscard]] static base::Result<Cgroup> create(const std::filesystem::path& parent,
                                                   const Limits& limits);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // The directory: used to start a process in the cgroup, or to move one into it.
  [[nodiscard]] base::Result<base::Fd> open() const;
  // Counts as not empty if that is unknown, and as empty if the cgroup no longer exists.
  [[nodiscard]] bool is_empty() const;
  // Sends SIGTERM to the members that are not in the session `sid`.
  void terminate_all_outside(pid_t sid) const;
  [[nodiscard]] base::Status kill() const;
  // Works only if it is empty.
  void remove() const;

 private:
  std::filesystem::path path_;
};

// The keeper's own cgroup, if it may create others in it.
[[nodiscard]] std::optional<std::filesystem::path> delegated_cgroup();

// Removes the empty cgroups that killed keepers left behind.
void sweep_cgroups(const std::filesystem::path& parent);

// Moves the process out of a child's cgroup, if it is in one.
void take_out_of_child(const std::filesystem::path& parent, pid_t pid);

}  // namespace keeper
