// A child's own control group (version 2): all that it ever started, wherever that went.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "keeper/confinement.h"

namespace keeper {

class Cgroup {
 public:
  // One that exists.
  explicit Cgroup(std::filesystem::path path) : path_(std::move(path)) {}

  // Makes one below `parent`. Its name, which everybody can read, tells nothing of the child.
  [[nodiscard]] static base::Result<Cgroup> create(const std::filesystem::path& parent,
                                                   const Limits& limits);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Its directory: what a process is started in, or where it finds the file to enter by.
  [[nodiscard]] base::Result<base::Fd> open() const;
  // When it cannot be told, it counts as not empty; unless the group is no more.
  [[nodiscard]] bool is_empty() const;
  // Tells what is in here and not in the session `sid` to end.
  void terminate_all_outside(pid_t sid) const;
  [[nodiscard]] base::Status kill() const;
  // If it is empty.
  void remove() const;

 private:
  std::filesystem::path path_;
};

// The keeper's own group, if it may make others in there.
[[nodiscard]] std::optional<std::filesystem::path> delegated_cgroup();

// Removes the empty groups that keepers left there which were killed.
void sweep_cgroups(const std::filesystem::path& parent);

// Moves the process out of a child's group, if it is in one.
void take_out_of_child(const std::filesystem::path& parent, pid_t pid);

}  // namespace keeper
