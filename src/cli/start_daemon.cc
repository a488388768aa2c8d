#include "cli/start_daemon.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

#include "cli/connect.h"
#include "daemon/log_file.h"
#include "keeper_client/ask.h"
#include "session/private_files.h"

namespace cli {
namespace {

constexpr std::chrono::seconds kTimeToCome{20};
constexpr std::chrono::milliseconds kLookAgain{10};

// A process of its own, which goes on when this one's terminal is closed.
class DetachedSpawn {
 public:
  DetachedSpawn() {
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID);
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addchdir_np(&files_, "/");
  }
  ~DetachedSpawn() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  DetachedSpawn(const DetachedSpawn&) = delete;
  DetachedSpawn& operator=(const DetachedSpawn&) = delete;

  base::Result<pid_t> run(const std::string& program, const std::string& log) {
    ::posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, log.c_str(),
                                       O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::posix_spawn_file_actions_adddup2(&files_, STDOUT_FILENO, STDERR_FILENO);
    std::string name = program;
    std::string serve = "serve";
    const std::array<char*, 3> argv{name.data(), serve.data(), nullptr};
    pid_t pid = 0;
    if (const int error =
            ::posix_spawn(&pid, name.c_str(), &files_, &attributes_, argv.data(), environ);
        error != 0)
      return base::fail(base::errno_error(error, "run " + name));
    return pid;
  }

 private:
  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t files_{};
};

}  // namespace

base::Result<pid_t> launch_daemon(const config::Config& config) {
  if (auto made = session::prepare_private_directory(config.state_dir); !made)
    return base::fail(made.error());
  return DetachedSpawn().run(std::filesystem::read_symlink("/proc/self/exe"),
                             holdfast::log_file(config.state_dir));
}

base::Status start_daemon(const config::Config& config) {
  const auto pid = launch_daemon(config);
  if (!pid) return base::fail(pid.error());
  const std::string log = holdfast::log_file(config.state_dir);
  const auto end = std::chrono::steady_clock::now() + kTimeToCome;
  // Another command may start one at the same time; then ours ends, and that one counts.
  const auto serves = [&] {
    const auto processes = keeper::ask_processes(config.runtime_dir);
    return processes && processes->daemon && connect_to_daemon();
  };
  while (!serves()) {
    int status = 0;
    const bool has_ended = ::waitpid(*pid, &status, WNOHANG) == *pid;
    if (has_ended && !serves())
      return base::fail(base::Code::unavailable, "the daemon did not start", "See " + log + ".");
    if (std::chrono::steady_clock::now() > end)
      return base::fail(base::Code::timed_out, "the daemon does not serve yet", "See " + log + ".");
    std::this_thread::sleep_for(kLookAgain);
  }
  return {};
}

}  // namespace cli
