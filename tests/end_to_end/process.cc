#include "end_to_end/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace e2e {

std::filesystem::path program(const char* name) {
  const char* elsewhere = std::getenv("HOLDFAST_BINARIES");
  return std::filesystem::path(elsewhere == nullptr ? HOLDFAST_BINARY_DIR : elsewhere) / name;
}

bool eventually(const std::function<bool()>& condition, milliseconds deadline) {
  const auto end = std::chrono::steady_clock::now() + deadline;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

Process::Process(const std::vector<std::string>& argv, const std::vector<std::string>& env) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) < 0) throw std::runtime_error("pipe2");
  output_.reset(ends[0]);
  const base::Fd write_end(ends[1]);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ > 0) return;
  ::dup2(write_end.get(), 1);
  ::dup2(write_end.get(), 2);
  for (const std::string& entry : env) ::putenv(const_cast<char*>(entry.c_str()));
  std::vector<char*> pointers;
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  ::_exit(127);
}

Process::~Process() {
  if (is_running()) {
    signal(SIGKILL);
    wait();
  }
}

void Process::signal(int number) const {
  ::kill(pid_, number);
}

bool Process::is_running() {
  int status = 0;
  if (!status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return !status_;
}

Process::Outcome Process::wait() {
  Outcome outcome;
  char buffer[4096];
  // A grandchild may hold the pipe; what matters is the process.
  while (is_running()) {
    pollfd poll{.fd = output_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&poll, 1, 5) == 1) {
      const ssize_t size = ::read(output_.get(), buffer, sizeof buffer);
      if (size > 0) outcome.output.append(buffer, size);
      if (size <= 0) {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        status_ = status;
      }
    }
  }
  pollfd poll{.fd = output_.get(), .events = POLLIN, .revents = 0};
  while (::poll(&poll, 1, 0) == 1) {
    const ssize_t size = ::read(output_.get(), buffer, sizeof buffer);
    if (size <= 0) break;
    outcome.output.append(buffer, size);
  }
  outcome.status = *status_;
  return outcome;
}

std::vector<std::string> serve_command(const std::filesystem::path& state_dir,
                                       const std::filesystem::path& runtime_dir,
                                       const std::vector<std::string>& options) {
  std::vector<std::string> argv{kDaemonProgram, "serve",         "--state-dir",
                                state_dir,      "--runtime-dir", runtime_dir};
  const auto unless_given = [&](const char* option, const char* value) {
    if (std::ranges::find(options, option) == options.end())
      argv.insert(argv.end(), {option, value});
  };
  unless_given("--listen", "127.0.0.1:0");
  unless_given("--config", "/dev/null");
  unless_given("--env-file", "/dev/null");
  argv.insert(argv.end(), options.begin(), options.end());
  return argv;
}

std::size_t open_descriptors(pid_t pid) {
  const std::string dir = "/proc/" + std::to_string(pid) + "/fd";
  std::error_code closed;
  const std::filesystem::directory_iterator entries(dir, closed);
  if (!closed) return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
  // Only root looks into the daemon and the keeper; how many there are Linux 6.2 tells everybody.
  struct stat status{};
  if (::stat(dir.c_str(), &status) < 0 || status.st_size == 0)
    throw std::runtime_error("only root can count the descriptors of " + std::to_string(pid));
  return static_cast<std::size_t>(status.st_size);
}

std::string proc_file(pid_t pid, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

namespace {

// The fields of /proc/PID/stat from the third on: state, parent, …
std::vector<std::string> stat_of(pid_t pid) {
  const std::string line = proc_file(pid, "stat");
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream text(line.substr(name_end + 1));
  return {std::istream_iterator<std::string>(text), {}};
}

}  // namespace

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto fields = stat_of(std::stoi(name));
    if (fields.size() > 1 && fields[1] == std::to_string(parent))
      children.push_back(std::stoi(name));
  }
  return children;
}

bool exists(pid_t pid) {
  const auto fields = stat_of(pid);
  return !fields.empty() && fields[0] != "Z" && fields[0] != "X";
}

}  // namespace e2e
