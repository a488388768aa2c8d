#include "keeper/process_table.h"

#include <dirent.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "base/fd.h"

namespace keeper {
namespace {

// A process whose first thread has ended shows as a zombie while its other threads run, so threads
// are counted too.
bool is_alive(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return false;
  // The name stands in parentheses and may contain anything; the fields begin after the last one.
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return false;
  std::istringstream fields(line.substr(name_end + 1));
  std::string state;
  fields >> state;
  if (state != "Z" && state != "X") return true;
  std::string field;
  for (int number = 4; number <= 20; ++number) fields >> field;  // Field 20 is num_threads.
  return std::atoi(field.c_str()) > 1;
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
    // getsid is a hundred times cheaper than reading /proc/PID/stat, and settles nearly all of
    // them.
    if (::getsid(pid) == sid && is_alive(pid)) members.push_back(pid);
  }
  return members;
}

void kill_member(pid_t pid, pid_t sid) {
  const base::Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  // Looked at after the descriptor was opened: if the number is in the session now, the descriptor
  // means a member.
  if (!process || ::getsid(pid) != sid) return;
  ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
}

}  // namespace keeper
