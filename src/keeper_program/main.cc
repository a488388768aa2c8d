// holdfast-keeper: runs a keeper, or asks one what it holds.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/environment.h"
#include "base/log.h"
#include "base/log_bound.h"
#include "base/printable.h"
#include "base/process.h"
#include "base/program.h"
#include "base/version.h"
#include "keeper/keeper.h"
#include "keeper/state.h"
#include "keeper_program/status.h"
#include "keeper_protocol/runtime_dir.h"

namespace keeper {
namespace {

constexpr std::string_view kUsage =
    R"(holdfast-keeper: keeps terminals and processes running when the daemon stops.

  holdfast-keeper [--runtime-dir DIR]            run in the foreground
  holdfast-keeper [--runtime-dir DIR] --detach   run in the background; returns once it accepts connections
  holdfast-keeper [--runtime-dir DIR] --status [--json]
                                                 show what a running keeper holds
  holdfast-keeper --version

DIR defaults to $HOLDFAST_RUNTIME_DIR, then $XDG_RUNTIME_DIR/holdfast, then /tmp/holdfast-UID; for root, /run/holdfast.
SIGTERM stops the keeper and ends everything it holds.
)";

constexpr off_t kLogSize = 1024 * 1024;

enum class Mode { run, detach, status, check_state, resume, version, help };

struct Arguments {
  Mode mode = Mode::run;
  std::filesystem::path runtime_dir = base::default_runtime_dir(base::process_environment());
  StatusFormat format = StatusFormat::text;
  int state_fd = 0;
};

base::Result<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--runtime-dir" && has_value) {
      arguments.runtime_dir = std::filesystem::absolute(argv[++i]);
    } else if (argument == "--resume" && has_value) {
      const std::string_view number = argv[++i];
      arguments.mode = Mode::resume;
      if (std::from_chars(number.begin(), number.end(), arguments.state_fd).ptr != number.end())
        return base::fail(base::Code::invalid_argument, "--resume needs a file descriptor number");
    } else if (argument == "--detach") {
      arguments.mode = Mode::detach;
    } else if (argument == "--status") {
      arguments.mode = Mode::status;
    } else if (argument == "--json") {
      arguments.format = StatusFormat::json;
    } else if (argument == "--check-state") {
      arguments.mode = Mode::check_state;
    } else if (argument == "--version") {
      arguments.mode = Mode::version;
    } else if (argument == "--help" || argument == "-h") {
      arguments.mode = Mode::help;
    } else {
      return base::fail(base::Code::invalid_argument,
                        "unknown argument or missing value: " + std::string(argument),
                        "See holdfast-keeper --help.");
    }
  }
  return arguments;
}

int report(const base::Error& error) {
  std::fprintf(stderr, "holdfast-keeper: %s\n",
               base::printable(error.message(), base::Lines::many).c_str());
  return 1;
}

// Executes itself again without variables that the children must not see: they can read the
// keeper's /proc/PID/environ.
base::Status shed_environment(const Arguments& arguments, const std::string& program) {
  const auto clean = base::clean_environment(environ);
  std::size_t count = 0;
  while (environ[count] != nullptr) ++count;
  if (clean.size() == count) return {};
  std::vector<std::string> argv{program, "--runtime-dir", arguments.runtime_dir};
  if (arguments.mode == Mode::detach) argv.emplace_back("--detach");
  ::execve(program.c_str(), base::pointers_to(argv).data(), base::pointers_to(clean).data());
  return base::fail(base::errno_error(errno, "run " + program + " with a clean environment"));
}

// Continues in a background process with its own session; the original process exits. Called once
// the keeper accepts connections.
base::Status go_to_background(const std::filesystem::path& runtime_dir) {
  const base::Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null) return base::fail(base::errno_error(errno, "open /dev/null"));
  const auto dir = RuntimeDir::open(runtime_dir);
  if (!dir) return base::fail(dir.error());
  const auto log = dir->open_file("keeper.log", O_WRONLY | O_CREAT | O_APPEND);
  if (!log) return base::fail(log.error());
  const pid_t pid = ::fork();
  if (pid < 0) return base::fail(base::errno_error(errno, "go to the background"));
  if (pid > 0) ::_exit(0);
  if (::setsid() < 0 || ::chdir("/") < 0)
    return base::fail(base::errno_error(errno, "leave the terminal"));
  ::dup2(null.get(), 0);
  ::dup2(null.get(), 1);
  ::dup2(log->get(), 2);
  return {};
}

// If standard error is keeper.log, keeps that file small: at the limit it is renamed to
// keeper.log.1 and a new one is started.
void bound_log_file(const std::filesystem::path& runtime_dir) {
  auto opened = RuntimeDir::open(runtime_dir);
  if (!opened) return;
  const auto dir = std::make_shared<RuntimeDir>(std::move(*opened));
  const auto named = dir->open_file("keeper.log", O_PATH);
  struct stat log{};
  struct stat file{};
  if (!named || ::fstat(STDERR_FILENO, &log) < 0 || ::fstat(named->get(), &file) < 0) return;
  if (log.st_ino != file.st_ino || log.st_dev != file.st_dev) return;
  const auto begin_another = [dir] {
    const auto renamed = dir->rename("keeper.log", "keeper.log.1");
    const auto fresh = dir->open_file("keeper.log", O_WRONLY | O_CREAT | O_APPEND);
    // If there is no new file, empty this one.
    if (renamed && fresh && ::dup2(fresh->get(), STDERR_FILENO) >= 0) return;
    [[maybe_unused]] const int truncated = ::ftruncate(STDERR_FILENO, 0);
  };
  if (log.st_size > kLogSize) begin_another();
  base::bound_log(kLogSize, begin_another);
}

int run(const Arguments& arguments) {
  base::close_to_debuggers();
  const base::SystemClock clock;
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  if (arguments.mode != Mode::resume)
    if (auto shed = shed_environment(arguments, program); !shed) return report(shed.error());
  Keeper::Options options{.runtime_dir = arguments.runtime_dir, .program = program};
  auto keeper = arguments.mode == Mode::resume
                    ? Keeper::resume(std::move(options), clock, base::Fd(arguments.state_fd))
                    : Keeper::start(std::move(options), clock);
  if (!keeper) return report(keeper.error());
  if (arguments.mode == Mode::detach)
    if (auto gone = go_to_background(arguments.runtime_dir); !gone) return report(gone.error());
  if (arguments.mode != Mode::resume)
    base::log(base::Level::info, "keeper started",
              {{"version", base::version()},
               {"pid", ::getpid()},
               {"dir", arguments.runtime_dir.native()}});
  bound_log_file(arguments.runtime_dir);
  if (auto ran = (*keeper)->run(); !ran) return report(ran.error());
  return 0;
}

int print_status(const Arguments& arguments) {
  const auto text = status(arguments.runtime_dir, arguments.format);
  if (!text) return report(text.error());
  std::fputs(text->c_str(), stdout);
  return 0;
}

int check_state() {
  // Standard input is the state of the keeper that is about to become this program.
  const auto state = read_state(base::Fd(0));
  if (!state) return report(state.error());
  if (auto checked = check_state(*state); !checked) return report(checked.error());
  return 0;
}

int main(int argc, char** argv) {
  const auto arguments = parse(argc, argv);
  if (!arguments) return report(arguments.error());
  switch (arguments->mode) {
    case Mode::run:
    case Mode::detach:
    case Mode::resume:
      return run(*arguments);
    case Mode::status:
      return print_status(*arguments);
    case Mode::check_state:
      return check_state();
    case Mode::version:
      std::printf("holdfast-keeper %s\n", std::string(base::version()).c_str());
      return 0;
    case Mode::help:
      std::fputs(std::string(kUsage).c_str(), stdout);
      return 0;
  }
  return 1;
}

}  // namespace
}  // namespace keeper

int main(int argc, char** argv) {
  base::name_process("holdfast-keeper");
  // Make sure that descriptors 0 to 2 are open, so that no socket or terminal gets one of these
  // numbers.
  int fd = ::open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= 2) fd = ::open("/dev/null", O_RDWR);
  if (fd > 2) ::close(fd);
  return keeper::main(argc, argv);
}
