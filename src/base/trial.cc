#include "base/trial.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <set>

namespace base {
namespace {

Result<Fd> file_for_output() {
  Fd file(::memfd_create("holdfast-trial", MFD_CLOEXEC));
  if (!file) return fail(errno_error(errno, "create a file for the trial's output"));
  return file;
}

// The file's first 4096 bytes, without trailing newlines.
std::string content_of(const Fd& file) {
  std::string text(4096, '\0');
  const ssize_t size = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// What the new process does with its descriptors.
class Actions {
 public:
  Actions() { ::posix_spawn_file_actions_init(&actions_); }
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  void nothing_as(int number) {
    ::posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", O_RDONLY, 0);
  }
  void use(const Fd& file, int number) {
    ::posix_spawn_file_actions_adddup2(&actions_, file.get(), number);
  }
  // Closes all from 3 on but these. A copy onto itself takes close-on-exec away.
  void keep_only(const std::set<int>& kept) {
    int next = 3;
    for (const int number : kept) {
      for (; next < number; ++next) ::posix_spawn_file_actions_addclose(&actions_, next);
      ::posix_spawn_file_actions_adddup2(&actions_, number, number);
      next = number + 1;
    }
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, next);
  }

  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

Result<Trial> Trial::start(const Program& program, const Setup& setup) {
  auto output = file_for_output();
  auto errors = file_for_output();
  if (!output || !errors) return fail((output ? errors : output).error());
  Actions actions;
  if (setup.input != nullptr)
    actions.use(*setup.input, STDIN_FILENO);
  else
    actions.nothing_as(STDIN_FILENO);
  actions.use(*output, STDOUT_FILENO);
  actions.use(*errors, STDERR_FILENO);
  // The interpreter of a script opens it again by its path.
  std::set<int> kept(setup.kept.begin(), setup.kept.end());
  kept.insert(program.file().get());
  actions.keep_only(kept);
  const std::string path = "/proc/self/fd/" + std::to_string(program.file().get());

  pid_t pid = 0;
  if (const int error = ::posix_spawn(&pid, path.c_str(), actions.get(), nullptr,
                                      pointers_to(setup.argv).data(), environ);
      error != 0)
    return fail(errno_error(error, "run " + program.name()));
  auto process = Process::open(pid);
  if (process) return Trial(std::move(*process), std::move(*output), std::move(*errors));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return fail(errno_error(process.error().sys_errno, "watch the trial"));
}

Trial::~Trial() {
  if (is_reaped_ || !process_.descriptor()) return;
  (void)process_.signal(SIGKILL);  // It is this process's child.
  ::waitpid(process_.pid(), nullptr, 0);
}

Result<std::string> Trial::outcome() {
  int status = 0;
  if (::waitpid(process_.pid(), &status, WNOHANG) == 0)
    return fail(Code::timed_out, "it timed out");
  is_reaped_ = true;
  std::string output = content_of(output_);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    const auto line = output.rfind('\n');
    return line == std::string::npos ? output : output.substr(line + 1);
  }
  std::string reason = content_of(errors_);
  if (reason.empty()) reason = std::move(output);
  if (WIFSIGNALED(status)) reason += " (signal " + std::to_string(WTERMSIG(status)) + ")";
  return fail(Code::invalid_argument, reason);
}

}  // namespace base
