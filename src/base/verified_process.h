// A process that is safe to signal: held by a pidfd, which is never reused, and run by this user or
// root.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>

#include "base/process.h"
#include "base/result.h"

namespace base {

class VerifiedProcess {
 public:
  // Opens the process with that pid; empty if it has ended. `permission_denied` if it belongs to
  // another user.
  [[nodiscard]] static Result<std::optional<VerifiedProcess>> open(pid_t pid);

  [[nodiscard]] Status signal(int number) const { return process_.signal(number); }
  // Waits until it ends; `timed_out` if it takes too long.
  [[nodiscard]] Status wait(std::chrono::milliseconds limit) const;

 private:
  explicit VerifiedProcess(Process process) : process_(std::move(process)) {}

  Process process_;
};

}  // namespace base
