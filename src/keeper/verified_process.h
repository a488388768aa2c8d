// A process that may be signalled: held by a descriptor, which never comes to mean another one, and
// run by this user or by root.

#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>

#include "base/fd.h"
#include "base/result.h"

namespace keeper {

class VerifiedProcess {
 public:
  // The process with that number; none if there is none any more. `permission_denied` if it is
  // somebody else's.
  [[nodiscard]] static base::Result<std::optional<VerifiedProcess>> open(pid_t pid);

  [[nodiscard]] base::Status signal(int number) const;
  // Waits for its end; `timed_out` if it does not come.
  [[nodiscard]] base::Status wait(std::chrono::milliseconds limit) const;

 private:
  VerifiedProcess(pid_t pid, base::Fd handle) : pid_(pid), handle_(std::move(handle)) {}
  [[nodiscard]] bool has_ended(std::chrono::milliseconds limit) const;

  pid_t pid_;
  base::Fd handle_;
};

}  // namespace keeper
