#include "bench/bare_pty.h"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace bench {

BarePty start_on_pty(const std::vector<std::string>& argv) {
  std::vector<char*> pointers;
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  int master = -1;
  const pid_t pid = ::forkpty(&master, nullptr, nullptr, nullptr);
  if (pid < 0) throw std::runtime_error("forkpty");
  if (pid == 0) {
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  return {.master = base::Fd(master), .pid = pid};
}

std::uint64_t read_to_end(const BarePty& pty) {
  std::vector<std::byte> buffer(64 * 1024);
  std::uint64_t total = 0;
  for (;;) {
    const ssize_t size = ::read(pty.master.get(), buffer.data(), buffer.size());
    if (size <= 0) break;
    total += static_cast<std::uint64_t>(size);
  }
  ::waitpid(pty.pid, nullptr, 0);
  return total;
}

}  // namespace bench
