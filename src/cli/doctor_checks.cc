#include "cli/doctor_checks.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/trial.h"
#include "base/version.h"
#include "extension/node.h"
#include "keeper_protocol/runtime_dir.h"
#include "session/store_path.h"

namespace cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kFewPtys = 16;
constexpr std::uint64_t kLittleSpace = 100'000'000;
// What the daemon has open for each terminal, and for itself and its clients.
constexpr std::uint64_t kOpenForEach = 5;
constexpr std::uint64_t kOpenAnyway = 200;
constexpr std::chrono::seconds kPatience{10};

Finding good(std::string about, std::string what) {
  return {.about = std::move(about), .what = std::move(what)};
}
Finding wrong(std::string about, std::string what, std::string advice) {
  return {.about = std::move(about),
          .is_wrong = true,
          .what = std::move(what),
          .advice = std::move(advice)};
}
Finding from(std::string about, const base::Error& error) {
  return wrong(std::move(about), error.what, error.advice);
}

Finding version_of(const std::string& about, const std::optional<RunningProcess>& process) {
  if (!process) return good(about, "not running");
  const std::string runs = "runs " +
                           (process->version.empty() ? "an unknown version" : process->version) +
                           ", pid " + std::to_string(process->pid);
  if (process->version == base::version()) return good(about, runs);
  return wrong(about, runs + "; this program is " + std::string(base::version()),
               "Run: holdfast upgrade");
}

Finding ptys() {
  const auto number = [](const char* name) {
    std::uint64_t value = 0;
    std::ifstream(std::filesystem::path("/proc/sys/kernel/pty") / name) >> value;
    return value;
  };
  const std::uint64_t used = number("nr");
  const std::uint64_t most = number("max");
  if (most == 0) return good("ptys", "this system does not say how many there are");
  const std::string what = std::to_string(used) + " of " + std::to_string(most) + " in use";
  if (used + kFewPtys <= most) return good("ptys", what);
  return wrong("ptys", what,
               "Close terminals, or raise kernel.pty.max with: sysctl kernel.pty.max=" +
                   std::to_string(2 * most));
}

// The daemon's limit if one runs; else what it could get.
std::uint64_t open_files(const Running& running) {
  if (running.daemon) {
    std::ifstream limits("/proc/" + std::to_string(running.daemon->pid) + "/limits");
    for (std::string line; std::getline(limits, line);) {
      std::uint64_t most = 0;
      if (line.starts_with("Max open files") &&
          std::istringstream(line.substr(sizeof "Max open files")) >> most)
        return most;
    }
  }
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : 0;
}

Finding descriptors(const Running& running) {
  const std::uint64_t most = open_files(running);
  const std::uint64_t terminals = most < kOpenAnyway ? 0 : (most - kOpenAnyway) / kOpenForEach;
  const std::string what = "at most " + std::to_string(most) + " open files: room for about " +
                           count_of(terminals, "terminal");
  if (terminals >= running.terminals + kFewPtys) return good("open files", what);
  return wrong("open files", what,
               "Raise the limit (ulimit -Hn, or LimitNOFILE= of the service), and restart the "
               "daemon.");
}

Finding directory(const std::string& about, const fs::path& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return good(about, path.native() + " does not exist yet");
    return from(about, base::errno_error(errno, "look at " + path.native()));
  }
  if (!S_ISDIR(found.st_mode))
    return wrong(about, path.native() + " is not a directory", "Move it away.");
  if (found.st_uid != ::geteuid())
    return wrong(about,
                 path.native() + " belongs to user " + std::to_string(found.st_uid) +
                     ", and you are " + std::to_string(::geteuid()),
                 "Run this as that user, or configure another directory.");
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return wrong(about, "others may write to " + path.native(), "Run: chmod 700 " + path.native());
  return good(about, path.native());
}

Finding sockets(const fs::path& runtime_dir, const Running& running) {
  std::string stale;
  const auto dir = keeper::RuntimeDir::open(runtime_dir);
  if (!dir && dir.error().code == base::Code::unavailable) return good("sockets", "none yet");
  if (!dir) return from("sockets", dir.error());
  constexpr std::array<std::pair<const char*, int>, 3> kSockets{{{"keeper.sock", SOCK_SEQPACKET},
                                                                 {"daemon.sock", SOCK_STREAM},
                                                                 {"control.sock", SOCK_STREAM}}};
  for (const auto& [name, type] : kSockets) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(runtime_dir / name, error))) continue;
    const auto connected = dir->connect(name, type);
    if (connected) continue;
    if (connected.error().code != base::Code::unavailable)
      return from("sockets", connected.error());
    stale += " " + (runtime_dir / name).native();
  }
  if (stale.empty()) return good("sockets", "in use, or not there");
  return wrong("sockets", "nobody listens at" + stale,
               running.keeper
                   ? "Restart the daemon: holdfast serve --takeover"
                   : "A keeper was killed. Starting a daemon cleans up; or run: rm" + stale);
}

Finding disk(const fs::path& state_dir) {
  fs::path there = fs::absolute(state_dir);
  std::error_code error;
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  const auto space = fs::space(there, error);
  if (error) return wrong("disk", "cannot ask for the space of " + there.native(), error.message());
  const std::string what = in_bytes(space.available) + " free at " + there.native();
  if (space.available >= kLittleSpace) return good("disk", what);
  return wrong("disk", what, "Free some: histories and settings cannot be saved on a full disk.");
}

// What was written before now cannot be from the future.
Finding the_clock(const fs::path& state_dir) {
  struct stat store{};
  const std::time_t now = std::time(nullptr);
  if (::stat(session::store_path(state_dir).c_str(), &store) != 0 ||
      store.st_mtime <= now + kPatience.count())
    return good("clock", "not behind what was saved last");
  return wrong("clock",
               "it is " + in_words(std::chrono::seconds(store.st_mtime - now)) +
                   " behind what was saved last",
               "Set it: links, sign-ins and tokens expire by it. See: timedatectl");
}

Finding cgroup(const config::Config& config, const Running& running) {
  const bool is_needed = config.terminal_memory != 0 || config.terminal_processes != 0;
  if (!running.keeper) return good("cgroup", "known once a keeper runs");
  std::ifstream file("/proc/" + std::to_string(running.keeper->pid) + "/cgroup");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("0::")) {
  }
  const fs::path path = "/sys/fs/cgroup" + (line.starts_with("0::") ? line.substr(3) : "/none");
  if (::access(path.c_str(), W_OK) == 0 && fs::exists(path / "cgroup.procs"))
    return good("cgroup", "delegated: " + path.native());
  if (!is_needed) return good("cgroup", "not delegated; no setting needs it");
  return wrong("cgroup",
               "the keeper has no cgroup of its own, which terminal_memory and "
               "terminal_processes need",
               "Start it from a service with Delegate=yes; see docs/operations.md.");
}

fs::path in_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* const path = std::getenv("PATH");
  std::istringstream dirs(path == nullptr ? "" : path);
  for (std::string dir; std::getline(dirs, dir, ':');)
    if (::access((fs::path(dir) / program).c_str(), X_OK) == 0) return fs::path(dir) / program;
  return {};
}

Finding node(const config::Config& config) {
  const std::string about = "extensions";
  const fs::path path = in_path(config.node);
  if (path.empty())
    return wrong(about, "there is no " + config.node, std::string(extension::kNodeAdvice));
  const auto program = base::Program::open(path);
  if (!program) return from(about, program.error());
  auto trial = base::Trial::start(
      *program, {.argv = extension::node_version_command(path), .input = nullptr, .kept = {}});
  if (!trial) return from(about, trial.error());
  (void)trial->process().has_ended(kPatience);
  const auto said = trial->outcome();
  if (!said) return from(about, said.error());
  const auto found = extension::parse_node(path, *said);
  if (!found) return from(about, found.error());
  return good(about, "Node " + found->version + " at " + found->path);
}

}  // namespace

std::vector<Finding> examine(const config::Config& config) {
  std::vector<Finding> findings{directory("runtime directory", config.runtime_dir),
                                directory("state directory", config.state_dir)};
  const auto asked = what_runs(config);
  if (!asked) findings.push_back(from("keeper", asked.error()));
  const Running running = asked ? *asked : Running{};
  if (asked) {
    findings.push_back(version_of("keeper", running.keeper));
    findings.push_back(version_of("daemon", running.daemon));
    findings.push_back(sockets(config.runtime_dir, running));
  }
  findings.push_back(ptys());
  findings.push_back(descriptors(running));
  findings.push_back(disk(config.state_dir));
  findings.push_back(the_clock(config.state_dir));
  findings.push_back(cgroup(config, running));
  findings.push_back(node(config));
  return findings;
}

}  // namespace cli
