#include "keeper/verified_process.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <limits>
#include <string>

namespace keeper {
namespace {

// The uid that a process runs as: the effective one, the second of four.
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

base::Result<std::optional<VerifiedProcess>> VerifiedProcess::open(pid_t pid) {
  const std::string name = "process " + std::to_string(pid);
  base::Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!handle && errno == ESRCH) return std::nullopt;
  if (!handle) return base::fail(base::errno_error(errno, "hold on to " + name));
  VerifiedProcess process(pid, std::move(handle));
  // Looked at while the descriptor is open: if the process still runs afterwards, the number meant
  // this one all the time.
  const auto uid = uid_of(pid);
  if (process.has_ended(std::chrono::milliseconds(0))) return std::nullopt;
  // Where /proc hides others' processes root still sees all, and the kernel lets nobody but root
  // signal others'.
  if (!uid && ::geteuid() == 0)
    return base::fail(base::Code::permission_denied, "it cannot be told whose " + name + " is");
  if (uid && *uid != ::geteuid() && *uid != 0)
    return base::fail(base::Code::permission_denied,
                      name + " is not yours, but user " + std::to_string(*uid) + "'s");
  return process;
}

base::Status VerifiedProcess::signal(int number) const {
  if (::syscall(SYS_pidfd_send_signal, handle_.get(), number, nullptr, 0) == 0 || errno == ESRCH)
    return {};
  return base::fail(base::errno_error(errno, "signal process " + std::to_string(pid_)));
}

bool VerifiedProcess::has_ended(std::chrono::milliseconds limit) const {
  pollfd poll{.fd = handle_.get(), .events = POLLIN, .revents = 0};
  return ::poll(&poll, 1, static_cast<int>(limit.count())) == 1;
}

base::Status VerifiedProcess::wait(std::chrono::milliseconds limit) const {
  if (has_ended(limit)) return {};
  return base::fail(base::Code::timed_out,
                    "process " + std::to_string(pid_) + " does not end in time");
}

}  // namespace keeper
