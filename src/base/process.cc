#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace base {
namespace {

std::string described(pid_t pid) {
  return "process " + std::to_string(pid);
}

// The fields from the third on. The name before them may contain any character.
std::vector<std::string_view> fields_after_name(std::string_view line) {
  std::vector<std::string_view> fields;
  line.remove_prefix(std::min(line.rfind(')'), line.size() - 1) + 1);
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find_first_not_of(" \n"), line.size());
    const std::size_t end = std::min(line.find_first_of(" \n", begin), line.size());
    if (begin < end) fields.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
  return fields;
}

}  // namespace

void name_process(const char* name) {
  ::prctl(PR_SET_NAME, name);
}

void close_to_debuggers() {
  ::prctl(PR_SET_DUMPABLE, 0);
}

Result<Process> Process::open(pid_t pid) {
  Fd descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!descriptor) return fail(errno_error(errno, "open " + described(pid)));
  return Process(pid, std::move(descriptor));
}

Status Process::signal(int number) const {
  if (::syscall(SYS_pidfd_send_signal, descriptor_.get(), number, nullptr, 0) == 0 ||
      errno == ESRCH)
    return {};
  return fail(errno_error(errno, "signal " + described(pid_)));
}

bool Process::has_ended(std::chrono::milliseconds limit) const {
  pollfd poll{.fd = descriptor_.get(), .events = POLLIN, .revents = 0};
  return ::poll(&poll, 1, static_cast<int>(limit.count())) == 1;
}

Result<ProcessStat> stat_of(pid_t pid) {
  constexpr std::size_t kState = 0;     // Field 3.
  constexpr std::size_t kThreads = 17;  // Field 20.
  constexpr std::size_t kStarted = 19;  // Field 22.
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return fail(errno_error(errno, "open " + path));
  std::array<char, 1024> line{};
  const ssize_t size = ::read(file.get(), line.data(), line.size());
  if (size < 0) return fail(errno_error(errno, "read " + path));
  if (size == 0) return fail(Code::not_found, described(pid) + " has ended");
  const auto fields = fields_after_name({line.data(), static_cast<std::size_t>(size)});
  if (fields.size() <= kStarted) return fail(Code::corrupt, "cannot understand " + path);
  return ProcessStat{.state = fields[kState].front(),
                     .threads = std::atoi(std::string(fields[kThreads]).c_str()),
                     .started = std::string(fields[kStarted])};
}

}  // namespace base
