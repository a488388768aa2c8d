#include "base/verified_process.h"

#include <unistd.h>

#include <fstream>
#include <limits>
#include <string>

namespace base {
namespace {

// The effective uid of a process, the second of the four on the Uid line.
std::optional<uid_t> uid_of(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string word; status >> word;) {
    if (word == "Uid:") {
      uid_t real = 0;
      uid_t effective = 0;
      if (status >> real >> effective) return effective;
      return std::nullopt;
    }
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<VerifiedProcess>> VerifiedProcess::open(pid_t pid) {
  auto process = Process::open(pid);
  if (!process && process.error().code == Code::not_found) return std::nullopt;
  if (!process) return fail(process.error());
  const std::string name = "process " + std::to_string(pid);
  // Check while the pidfd is open: if the process still runs afterwards, the pid meant this process
  // the whole time.
  const auto uid = uid_of(pid);
  if (process->has_ended()) return std::nullopt;
  // If /proc hides other users' processes, root still sees them all, and the kernel lets only root
  // signal them.
  if (!uid && ::geteuid() == 0)
    return fail(Code::permission_denied, "cannot find out which user " + name + " belongs to");
  if (uid && *uid != ::geteuid() && *uid != 0)
    return fail(Code::permission_denied,
                name + " belongs to user " + std::to_string(*uid) + ", not to you");
  return VerifiedProcess(std::move(*process));
}

Status VerifiedProcess::wait(std::chrono::milliseconds limit) const {
  if (process_.has_ended(limit)) return {};
  return fail(Code::timed_out,
              "process " + std::to_string(process_.pid()) + " did not end in time");
}

}  // namespace base
