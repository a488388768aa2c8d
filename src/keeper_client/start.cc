#include "keeper_client/start.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/log.h"
#include "keeper_client/ask.h"
#include "keeper_protocol/socket.h"

namespace keeper {
namespace {

constexpr std::chrono::seconds kTimeToCome{10};
constexpr std::chrono::milliseconds kLookAgain{20};

// The keeper outlives the daemon, and its environment stays readable that long.
std::vector<char*> without_token(char** environment) {
  std::vector<char*> kept;
  for (; *environment != nullptr; ++environment)
    if (!std::string_view(*environment).starts_with("HOLDFAST_TOKEN="))
      kept.push_back(*environment);
  kept.push_back(nullptr);
  return kept;
}

}  // namespace

std::filesystem::path keeper_program() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "holdfast-keeper";
}

base::Result<Reached> ensure_keeper(const std::filesystem::path& runtime_dir,
                                    const std::filesystem::path& program) {
  auto reached = connect_to_keeper(runtime_dir);
  if (reached) return Reached::running;
  if (reached.error().code != base::Code::unavailable) return base::fail(reached.error());

  std::string name = program;
  std::string dir = runtime_dir;
  std::array<char*, 5> argv{name.data(), const_cast<char*>("--runtime-dir"), dir.data(),
                            const_cast<char*>("--detach"), nullptr};
  std::vector<char*> environment = without_token(environ);
  pid_t pid = 0;
  if (const int error =
          ::posix_spawn(&pid, name.c_str(), nullptr, nullptr, argv.data(), environment.data());
      error != 0)
    return base::fail(
        base::errno_error(error, "run " + name, "Install holdfast-keeper beside holdfast."));
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  // Try even after a failure: another daemon may have started a keeper at the same time.
  if (connect_to_keeper(runtime_dir)) return status == 0 ? Reached::started : Reached::running;
  return base::fail(base::Code::unavailable,
                    "the keeper " + name + " did not start (status " + std::to_string(status) + ")",
                    "See its message on standard error.");
}

base::Result<Reached> await_keeper(const std::filesystem::path& runtime_dir) {
  const auto end = std::chrono::steady_clock::now() + kTimeToCome;
  for (;;) {
    const auto reached = connect_to_keeper(runtime_dir);
    if (reached) return Reached::running;
    if (reached.error().code != base::Code::unavailable || std::chrono::steady_clock::now() > end)
      return base::fail(reached.error());
    std::this_thread::sleep_for(kLookAgain);
  }
}

void end_idle_keeper(const std::filesystem::path& runtime_dir) {
  const auto processes = ask_processes(runtime_dir);
  const auto holding = ask_holding(runtime_dir);
  if (!processes || !processes->keeper || processes->daemon) return;
  if (!holding || !holding->children.empty()) return;
  if (auto told = processes->keeper->signal(SIGTERM); !told)
    base::log(base::Level::warning, "cannot stop the idle keeper", {{"error", told.error()}});
}

}  // namespace keeper
