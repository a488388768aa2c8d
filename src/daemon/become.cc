#include "daemon/become.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <sstream>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "daemon/line.h"

namespace holdfast {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr const char* kVariable = "HOLDFAST_UPGRADE";
constexpr std::chrono::seconds kTrialTime{10};

// The file's first 4096 bytes, without trailing newlines.
std::string content_of(const base::Fd& file) {
  std::string text(4096, '\0');
  const ssize_t size = ::pread(file.get(), text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

class Trial {
 public:
  static base::Result<Trial> start(const base::Program& program,
                                   const std::vector<std::string>& arguments) {
    Trial trial;
    for (base::Fd* said : {&trial.output_, &trial.errors_}) {
      said->reset(::memfd_create("holdfast-trial", MFD_CLOEXEC));
      if (!*said)
        return base::fail(base::errno_error(errno, "create a file for the trial's output"));
    }
    std::vector<std::string> argv = arguments;
    argv.emplace_back("--check");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, trial.output_.get(), 1);
    ::posix_spawn_file_actions_adddup2(&actions, trial.errors_.get(), 2);
    ::posix_spawn_file_actions_adddup2(&actions, program.file().get(), 3);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    const int failed = ::posix_spawn(&trial.pid_, "/proc/self/fd/3", &actions, nullptr,
                                     base::pointers_to(argv).data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
      trial.pid_ = 0;
      return base::fail(base::errno_error(failed, "run " + program.name()));
    }
    trial.ended_.reset(static_cast<int>(::syscall(SYS_pidfd_open, trial.pid_, 0)));
    if (!trial.ended_) return base::fail(base::errno_error(errno, "watch the trial"));
    return trial;
  }
  Trial(Trial&& other) noexcept
      : pid_(std::exchange(other.pid_, 0)),
        output_(std::move(other.output_)),
        errors_(std::move(other.errors_)),
        ended_(std::move(other.ended_)) {}
  Trial(const Trial&) = delete;
  Trial& operator=(Trial&&) = delete;
  ~Trial() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  [[nodiscard]] const base::Fd& ended() const { return ended_; }  // Readable once it has.

  [[nodiscard]] bool has_ended() const {
    pollfd poll{.fd = ended_.get(), .events = POLLIN, .revents = 0};
    return ::poll(&poll, 1, 0) == 1;
  }

  // The last line of its output. Call it when the trial has ended or its time is up. Other output,
  // a library's warning for example, matters only if the trial fails.
  base::Result<std::string> outcome() {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == 0)
      return base::fail(base::Code::timed_out, "it timed out");
    pid_ = 0;
    std::string output = content_of(output_);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      const auto line = output.rfind('\n');
      return line == std::string::npos ? output : output.substr(line + 1);
    }
    std::string reason = content_of(errors_);
    if (reason.empty()) reason = std::move(output);
    if (WIFSIGNALED(status)) reason += " (signal " + std::to_string(WTERMSIG(status)) + ")";
    return base::fail(base::Code::invalid_argument, reason);
  }

 private:
  Trial() = default;
  pid_t pid_ = 0;
  base::Fd output_;
  base::Fd errors_;
  base::Fd ended_;
};

// Executes the program with only these descriptors, listed in that order in the variable. Returns
// only if it fails.
base::Error execute(const base::Program& program, const std::vector<std::string>& arguments,
                    const std::vector<const base::Fd*>& kept) {
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  std::string numbers;
  for (const base::Fd* fd : kept) {
    numbers += std::to_string(fd->get()) + " ";
    if (*fd) ::fcntl(fd->get(), F_SETFD, 0);
  }
  ::setenv(kVariable, numbers.c_str(), 1);
  // A SIGHUP before the new program handles it would kill the process. Ignoring it loses nothing:
  // the new program reads the configuration anyway.
  ::signal(SIGHUP, SIG_IGN);
  return program.execute(arguments);
}

}  // namespace

Inherited take_inherited() {
  Inherited inherited;
  const char* const given = std::getenv(kVariable);
  if (given == nullptr) return inherited;
  std::istringstream numbers(given);
  ::unsetenv(kVariable);
  for (base::Fd* fd : {&inherited.asker, &inherited.previous}) {
    int number = -1;
    if (!(numbers >> number) || number < 3 || ::fcntl(number, F_SETFD, FD_CLOEXEC) < 0) continue;
    fd->reset(number);
  }
  return inherited;
}

awaitable<base::Result<std::string>> try_out(std::shared_ptr<const base::Program> program,
                                             std::vector<std::string> arguments) {
  auto trial = Trial::start(*program, arguments);
  base::Result<std::string> outcome;
  if (trial) {
    const auto executor = co_await asio::this_coro::executor;
    const auto ended = std::make_shared<asio::posix::stream_descriptor>(
        executor, ::fcntl(trial->ended().get(), F_DUPFD_CLOEXEC, 3));
    asio::steady_timer limit(executor, kTrialTime);
    limit.async_wait([ended](boost::system::error_code error) {
      if (!error) ended->cancel();
    });
    // Wakeups can be spurious.
    while (!trial->has_ended()) {
      const auto [error] = co_await ended->async_wait(asio::posix::stream_descriptor::wait_read,
                                                      asio::as_tuple(asio::use_awaitable));
      if (error) break;
    }
    limit.cancel();
    outcome = trial->outcome();
  } else {
    outcome = base::fail(trial.error());
  }
  if (outcome) co_return outcome;
  co_return base::fail(
      outcome.error().code,
      program->name() + " cannot take over from this daemon: " + outcome.error().what,
      "Nothing has changed. Fix the problem and try again.");
}

base::Error become(Successor successor, const std::vector<std::string>& arguments) {
  Inherited left{.asker = std::move(successor.asker),
                 .previous = base::Fd(::open("/proc/self/exe", O_PATH | O_CLOEXEC))};
  const base::Error why = execute(*successor.program, arguments, {&left.asker, &left.previous});
  return go_back(std::move(left), arguments, why);
}

base::Error go_back(Inherited inherited, const std::vector<std::string>& arguments,
                    const base::Error& why) {
  base::log(base::Level::error, "the new program cannot start; going back to the previous one",
            {{"error", why}});
  const base::Fd none;
  const auto program = base::Program::known(std::move(inherited.previous));
  const Line line(std::move(inherited.asker));
  if (line.socket())
    if (auto told = line.send(error_line("failed", why)); !told)
      base::log(base::Level::warning, "cannot report the failure to the upgrade command",
                {{"error", told.error()}});
  return execute(program, arguments, {&line.socket(), &none});
}

}  // namespace holdfast
