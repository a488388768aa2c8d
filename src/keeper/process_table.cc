#include "keeper/process_table.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <vector>

#include "base/process.h"

namespace keeper {
namespace {

// A process whose main thread has ended looks like a zombie while other threads run, so threads are
// counted too. If that cannot be read, the process counts as alive.
bool is_alive(pid_t pid) {
  const auto stat = base::stat_of(pid);
  if (!stat) return stat.error().code != base::Code::not_found;
  return !stat->is_zombie() || stat->threads > 1;
}

}  // namespace

base::Result<std::vector<pid_t>> members_of_session(pid_t sid) {
  const std::unique_ptr<DIR, int (*)(DIR*)> proc(::opendir("/proc"), ::closedir);
  if (!proc) return base::fail(base::errno_error(errno, "list processes in /proc"));
  std::vector<pid_t> members;
  while (const dirent* entry = ::readdir(proc.get())) {
    pid_t pid = 0;
    const char* end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, pid).ptr != end) continue;
    // getsid is a hundred times cheaper than reading /proc/PID/stat and rules out nearly all
    // processes.
    if (::getsid(pid) == sid && is_alive(pid)) members.push_back(pid);
  }
  return members;
}

void signal_member(pid_t pid, pid_t sid, int number) {
  const auto process = base::Process::open(pid);
  // Check after opening it: if the pid is in the session now, the process is a member.
  if (!process || ::getsid(pid) != sid) return;
  (void)process->signal(number);  // One that may not be signalled stays.
}

void signal_group(pid_t group, pid_t sid, int number) {
  const auto members = members_of_session(sid);
  if (!members) return;  // SIGKILL follows later anyway.
  for (const pid_t member : *members)
    if (::getpgid(member) == group) signal_member(member, sid, number);
}

}  // namespace keeper
