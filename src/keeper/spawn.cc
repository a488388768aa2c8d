#include "keeper/spawn.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/environment.h"
#include "base/program.h"
#include "keeper/confine.h"

namespace keeper {
namespace {

constexpr std::size_t kMaxLabel = 1024;

// What a child reports to its parent if it fails before exec.
enum class Step : int { cgroup, session, terminal, files, account, limits, directory, program };
struct Failure {
  Step step;
  int error;
};

constexpr int kOutcomeFd = 3;

struct Pipe {
  base::Fd read;
  base::Fd write;
};

base::Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) < 0)
    return base::fail(base::errno_error(errno, "create a pipe"));
  return Pipe{.read = base::Fd(ends[0]), .write = base::Fd(ends[1])};
}

struct Pty {
  base::Fd master;
  base::Fd slave;
};

base::Result<Pty> open_pty(const SpawnSpec& spec) {
  Pty pty;
  pty.master.reset(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (!pty.master)
    return base::fail(base::errno_error(
        errno, "open a pseudo-terminal",
        "Close some terminals, or raise kernel.pty.max and the limit on open files."));
  if (::unlockpt(pty.master.get()) < 0)
    return base::fail(base::errno_error(errno, "unlock a pseudo-terminal"));
  pty.slave.reset(::ioctl(pty.master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!pty.slave)
    return base::fail(base::errno_error(errno, "open a pseudo-terminal's slave side"));

  termios settings{};
  const winsize size{.ws_row = spec.rows, .ws_col = spec.cols, .ws_xpixel = 0, .ws_ypixel = 0};
  if (::tcgetattr(pty.slave.get(), &settings) < 0)
    return base::fail(base::errno_error(errno, "read a terminal's settings"));
  settings.c_iflag |= IUTF8;  // In cooked mode, Backspace erases a whole character.
  if (::tcsetattr(pty.slave.get(), TCSANOW, &settings) < 0 ||
      ::ioctl(pty.master.get(), TIOCSWINSZ, &size) < 0)
    return base::fail(base::errno_error(errno, "set a terminal's settings and size"));
  if (const auto& account = spec.confinement.account)
    if (::fchown(pty.slave.get(), account->uid, static_cast<gid_t>(-1)) < 0 ||
        ::fchmod(pty.slave.get(), 0600) < 0)
      return base::fail(base::errno_error(errno, "give a terminal to its account"));
  return pty;
}

bool has_variable(const std::vector<std::string>& env, std::string_view name) {
  return std::any_of(env.begin(), env.end(), [name](const std::string& entry) {
    return entry.starts_with(name) && entry.size() > name.size() && entry[name.size()] == '=';
  });
}

// Moved, not copied: after a fork the first write to each page is a page fault, so allocate little
// here.
std::vector<std::string> take_environment(SpawnSpec& spec) {
  auto env = std::exchange(spec.env, {});
  if (env.empty()) env = base::clean_environment(environ);
  if (spec.kind == Kind::terminal) {
    if (!has_variable(env, "TERM")) env.emplace_back("TERM=xterm-256color");
    if (!has_variable(env, "COLORTERM")) env.emplace_back("COLORTERM=truecolor");
  }
  return env;
}

struct Forked {
  pid_t pid = -1;  // As returned by fork.
  bool is_in_cgroup = false;
};

// Forks straight into the cgroup. Moving a child there later takes milliseconds (an RCU grace
// period). A sandbox may not allow clone3, so fall back to fork.
Forked fork_into(const base::Fd& cgroup) {
  if (cgroup) {
    clone_args how{};
    how.flags = CLONE_INTO_CGROUP;
    how.exit_signal = SIGCHLD;
    how.cgroup = static_cast<std::uint64_t>(cgroup.get());
    const auto pid = static_cast<pid_t>(::syscall(SYS_clone3, &how, sizeof how));
    if (pid >= 0) return {.pid = pid, .is_in_cgroup = true};
  }
  return {.pid = ::fork()};
}

// The functions from here to `become` run in the child, between fork and exec.

[[noreturn]] void give_up(Step step) {
  const Failure failure{.step = step, .error = errno};
  // If the parent is gone, there is nobody to tell.
  [[maybe_unused]] const ssize_t told = ::write(kOutcomeFd, &failure, sizeof failure);
  ::_exit(127);
}

void reset_signals() {
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &standard, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Puts `input` and `output` at 0 to 2 and the outcome pipe at 3, and closes the rest.
void arrange_descriptors(int input, int output, int outcome) {
  // Move them above all targets first, so that no dup2 overwrites a source.
  const int high_input = ::fcntl(input, F_DUPFD, 10);
  const int high_output = ::fcntl(output, F_DUPFD, 10);
  const int high_outcome = ::fcntl(outcome, F_DUPFD, 10);
  ::dup3(high_outcome, kOutcomeFd, O_CLOEXEC);
  ::dup2(high_input, 0);
  ::dup2(high_output, 1);
  ::dup2(high_output, 2);
  ::close_range(kOutcomeFd + 1, ~0U, 0);
}

struct Start {
  int input;
  int output;
  int outcome;
  int cgroup;  // The cgroup to enter, or -1.
  rlimit files;
  char** argv;
  char** env;
};

bool enter(int cgroup) {
  const int members = ::openat(cgroup, "cgroup.procs", O_WRONLY | O_CLOEXEC);
  return members >= 0 && ::write(members, "0", 1) == 1;
}

[[noreturn]] void become(const SpawnSpec& spec, const Start& start) {
  const bool entered = start.cgroup < 0 || enter(start.cgroup);
  const int why = errno;
  arrange_descriptors(start.input, start.output, start.outcome);
  errno = why;
  if (!entered) give_up(Step::cgroup);
  reset_signals();
  if (::setsid() < 0) give_up(Step::session);
  if (spec.kind == Kind::terminal && ::ioctl(0, TIOCSCTTY, 0) < 0) give_up(Step::terminal);
  if (::setrlimit(RLIMIT_NOFILE, &start.files) < 0) give_up(Step::files);
  const Confinement& confinement = spec.confinement;
  if (confinement.account && !become_account(*confinement.account)) give_up(Step::account);
  if (!apply_limits(confinement.limits)) give_up(Step::limits);
  // From here on, with the account's rights only.
  if (::chdir(spec.cwd.c_str()) < 0) give_up(Step::directory);
  environ = start.env;  // Search the program in the child's PATH, not the keeper's.
  ::execvp(start.argv[0], start.argv);
  give_up(Step::program);
}

base::Error explain(const Failure& failure, const SpawnSpec& spec) {
  switch (failure.step) {
    case Step::directory:
      return base::errno_error(failure.error, "enter the directory " + spec.cwd,
                               "Choose a directory that exists and that you may enter.");
    case Step::program:
      return base::errno_error(failure.error, "run " + spec.argv.front(),
                               "Check that the program exists and may be executed.");
    case Step::session:
      return base::errno_error(failure.error, "start a session");
    case Step::files:
      return base::errno_error(failure.error, "set the limit on open files");
    case Step::limits:
      return base::errno_error(failure.error, "set the terminal's limits");
    case Step::account:
      return base::errno_error(
          failure.error,
          "become the account with uid " + std::to_string(spec.confinement.account->uid),
          "The keeper must run as root to do that.");
    case Step::cgroup:
      return base::errno_error(failure.error, "enter the terminal's cgroup");
    case Step::terminal:
      break;
  }
  return base::errno_error(failure.error, "take the terminal");
}

base::Status check(const SpawnSpec& spec) {
  const auto has_nul = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  if (spec.argv.empty() || spec.argv.front().empty())
    return base::fail(base::Code::invalid_argument, "no program to run was given");
  if (!spec.cwd.starts_with('/'))
    return base::fail(base::Code::invalid_argument,
                      "the working directory '" + spec.cwd + "' is not an absolute path");
  if (spec.label.size() > kMaxLabel)
    return base::fail(base::Code::too_large, "the label is longer than 1024 bytes");
  if (has_nul(spec.cwd) || std::any_of(spec.argv.begin(), spec.argv.end(), has_nul) ||
      std::any_of(spec.env.begin(), spec.env.end(), has_nul))
    return base::fail(base::Code::invalid_argument, "arguments cannot contain NUL bytes");
  return {};
}

}  // namespace

base::Result<Spawned> spawn(SpawnSpec& spec, const rlimit& files, const base::Fd& cgroup) {
  if (auto good = check(spec); !good) return base::fail(good.error());
  auto outcome = make_pipe();
  if (!outcome) return base::fail(outcome.error());
  if (auto set = base::set_nonblocking(outcome->read); !set) return base::fail(set.error());

  Spawned spawned;
  base::Fd input;   // The child's standard input.
  base::Fd output;  // Its standard output and error.
  if (spec.kind == Kind::terminal) {
    auto pty = open_pty(spec);
    if (!pty) return base::fail(pty.error());
    spawned.output = std::move(pty->master);
    spawned.slave = std::move(pty->slave);
  } else {
    auto pipe = make_pipe();
    if (!pipe) return base::fail(pipe.error());
    if (auto set = base::set_nonblocking(pipe->read); !set) return base::fail(set.error());
    spawned.output = std::move(pipe->read);
    output = std::move(pipe->write);
    input.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!input) return base::fail(base::errno_error(errno, "open /dev/null"));
  }

  const auto env = take_environment(spec);
  const auto argv_pointers = base::pointers_to(spec.argv);
  const auto env_pointers = base::pointers_to(env);
  const Forked forked = fork_into(cgroup);
  spawned.pid = forked.pid;
  if (spawned.pid < 0)
    return base::fail(base::errno_error(errno, "start a process",
                                        "You may have reached the process limit (ulimit -u)."));
  if (spawned.pid == 0) {
    const int slave = spawned.slave.get();
    become(spec, {.input = input ? input.get() : slave,
                  .output = output ? output.get() : slave,
                  .outcome = outcome->write.get(),
                  .cgroup = forked.is_in_cgroup ? -1 : cgroup.get(),
                  .files = files,
                  .argv = const_cast<char**>(argv_pointers.data()),
                  .env = const_cast<char**>(env_pointers.data())});
  }
  spawned.outcome = std::move(outcome->read);
  return spawned;
}

std::optional<base::Status> outcome_of(const base::Fd& outcome, const SpawnSpec& spec) {
  Failure failure{};
  const ssize_t size = ::read(outcome.get(), &failure, sizeof failure);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  if (size == 0) return base::Status{};
  if (size != sizeof failure)
    return base::fail(base::Code::io, "unknown whether " + spec.argv.front() + " started");
  return base::fail(explain(failure, spec));
}

}  // namespace keeper
