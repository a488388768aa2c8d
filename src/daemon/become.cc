#include "daemon/become.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <unistd.h>

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
#include "base/trial.h"
#include "daemon/control_connection.h"

namespace holdfast {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr const char* kVariable = "HOLDFAST_UPGRADE";
constexpr std::chrono::seconds kTrialTime{10};

// Waits until it has ended or its time is up.
awaitable<void> end_of(std::shared_ptr<const base::Trial> trial) {
  const auto executor = co_await asio::this_coro::executor;
  const auto ended = std::make_shared<asio::posix::stream_descriptor>(
      executor, ::fcntl(trial->process().descriptor().get(), F_DUPFD_CLOEXEC, 3));
  asio::steady_timer limit(executor, kTrialTime);
  limit.async_wait([ended](boost::system::error_code error) {
    if (!error) ended->cancel();
  });
  // Wakeups can be spurious.
  while (!trial->process().has_ended()) {
    const auto [error] = co_await ended->async_wait(asio::posix::stream_descriptor::wait_read,
                                                    asio::as_tuple(asio::use_awaitable));
    if (error) break;
  }
  limit.cancel();
}

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
  arguments.emplace_back("--check");
  auto started =
      base::Trial::start(*program, {.argv = std::move(arguments), .input = nullptr, .kept = {}});
  base::Result<std::string> outcome;
  if (started) {
    const auto trial = std::make_shared<base::Trial>(std::move(*started));
    co_await end_of(trial);
    outcome = trial->outcome();
  } else {
    outcome = base::fail(started.error());
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
  const ControlConnection asker(std::move(inherited.asker));
  if (asker.socket())
    if (auto told = asker.send(error_line("failed", why)); !told)
      base::log(base::Level::warning, "cannot report the failure to the upgrade command",
                {{"error", told.error()}});
  return execute(program, arguments, {&asker.socket(), &none});
}

}  // namespace holdfast
