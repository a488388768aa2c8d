#include "keeper/process_table.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace keeper {
namespace {

// The fields of /proc/PID/stat from the third on. The name before them may contain any character.
std::vector<std::string> fields_after_name(std::string_view line) {
  std::vector<std::string> fields;
  line.remove_prefix(std::min(line.rfind(')'), line.size() - 1) + 1);
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    fields.emplace_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
  return fields;
}

// A process whose main thread has ended looks like a zombie while other threads run, so threads are
// counted too. If the file cannot be read, the process counts as alive.
bool is_alive(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  const base::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return errno != ENOENT && errno != ESRCH;
  std::array<char, 1024> line{};
  const ssize_t size = ::read(file.get(), line.data(), line.size());
  if (size <= 0) return size < 0 && errno != ESRCH;
  const auto fields = fields_after_name({line.data(), static_cast<std::size_t>(size)});
  constexpr std::size_t kState = 0;     // Field 3.
  constexpr std::size_t kThreads = 17;  // Field 20.
  if (fields.size() <= kThreads) return true;
  return (fields[kState] != "Z" && fields[kState] != "X") ||
         std::atoi(fields[kThreads].c_str()) > 1;
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
  const base::Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  // Check after opening the pidfd: if the pid is in the session now, the pidfd refers to a member.
  if (!process || ::getsid(pid) != sid) return;
  ::syscall(SYS_pidfd_send_signal, process.get(), number, nullptr, 0);
}

void signal_group(pid_t group, pid_t sid, int number) {
  const auto members = members_of_session(sid);
  if (!members) return;  // SIGKILL follows later anyway.
  for (const pid_t member : *members)
    if (::getpgid(member) == group) signal_member(member, sid, number);
}

}  // namespace keeper
