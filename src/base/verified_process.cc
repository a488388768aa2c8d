#include "base/verified_process.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
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
  const std::string name = "process " + std::to_string(pid);
  Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!handle && errno == ESRCH) return std::nullopt;
  if (!handle) return fail(errno_error(errno, "open " + name));
  VerifiedProcess process(pid, std::move(handle));
  // Check while the pidfd is open: if the process still runs afterwards, the pid meant this process
  // the whole time.
  const auto uid = uid_of(pid);
  if (process.has_ended(std::chrono::milliseconds(0))) return std::nullopt;
  // If /proc hides other users' processes, root still sees them all, and the kernel lets only root
  // signal them.
  if (!uid && ::geteuid() == 0)
    return fail(Code::permission_denied, "cannot find out which user " + name + " belongs to");
  if (uid && *uid != ::geteuid() && *uid != 0)
    return fail(Code::permission_denied,
                name + " belongs to user " + std::to_string(*uid) + ", not to you");
  return process;
}

Status VerifiedProcess::signal(int number) const {
  if (::syscall(SYS_pidfd_send_signal, handle_.get(), number, nullptr, 0) == 0 || errno == ESRCH)
    return {};
  return fail(errno_error(errno, "signal process " + std::to_string(pid_)));
}

bool VerifiedProcess::has_ended(std::chrono::milliseconds limit) const {
  pollfd poll{.fd = handle_.get(), .events = POLLIN, .revents = 0};
  return ::poll(&poll, 1, static_cast<int>(limit.count())) == 1;
}

Status VerifiedProcess::wait(std::chrono::milliseconds limit) const {
  if (has_ended(limit)) return {};
  return fail(Code::timed_out, "process " + std::to_string(pid_) + " did not end in time");
}

}  // namespace base
