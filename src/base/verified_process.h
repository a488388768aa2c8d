// A process that is safe to signal: held by a pidfd, which is never reused, and run by this user or
// root.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>

#include "base/fd.h"
#include "base/result.h"

namespace base {

class VerifiedProcess {
 public:
  // Opens the process with that pid; empty if it has ended. `permission_denied` if it belongs to
  // another user.
  [[nodiscard]] static Result<std::optional<VerifiedProcess>> open(pid_t pid);

  [[nodiscard]] Status signal(int number) const;
  // Waits until it ends; `timed_out` if it takes too long.
  [[nodiscard]] Status wait(std::chrono::milliseconds limit) const;

 private:
  VerifiedProcess(pid_t pid, Fd handle) : pid_(pid), handle_(std::move(handle)) {}
  [[nodiscard]] bool has_ended(std::chrono::milliseconds limit) const;

  pid_t pid_;
  Fd handle_;
};

}  // namespace base
