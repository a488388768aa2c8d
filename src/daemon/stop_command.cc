#include "daemon/stop_command.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <iostream>

#include <boost/json/parse.hpp>

#include "base/fd.h"
#include "config/load.h"
#include "daemon/serve.h"
#include "keeper/status.h"

namespace holdfast {
namespace {

constexpr std::chrono::seconds kTimeToEnd{60};

struct Running {
  pid_t keeper = 0;
  pid_t daemon = 0;  // 0: none.
  std::size_t terminals = 0;
};

base::Result<Running> what_runs(const std::filesystem::path& runtime_dir) {
  auto text = keeper::status(runtime_dir, keeper::StatusFormat::json);
  if (!text) return base::fail(text.error());
  const auto status = boost::json::parse(*text);
  Running running{.keeper = static_cast<pid_t>(status.at("pid").as_int64())};
  if (const auto& daemon = status.at("daemonPid"); daemon.is_int64())
    running.daemon = static_cast<pid_t>(daemon.as_int64());
  for (const auto& child : status.at("children").as_array())
    if (child.at("kind").as_string() == "terminal" && child.at("state").as_string() == "running")
      ++running.terminals;
  return running;
}

base::Status signal_and_wait(pid_t pid, int number, const char* what) {
  const base::Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!handle && errno == ESRCH) return {};
  if (!handle || ::syscall(SYS_pidfd_send_signal, handle.get(), number, nullptr, 0) != 0)
    return base::fail(base::errno_error(errno, std::string("tell the ") + what + " to end"));
  pollfd ended{.fd = handle.get(), .events = POLLIN, .revents = 0};
  const auto limit = std::chrono::milliseconds(kTimeToEnd).count();
  if (::poll(&ended, 1, static_cast<int>(limit)) == 1) return {};
  return base::fail(base::Code::timed_out, std::string("the ") + what + " does not end",
                    "Its log says what it waits for.");
}

std::string count_of(std::size_t terminals) {
  return std::to_string(terminals) + (terminals == 1 ? " terminal" : " terminals");
}

base::Status confirm(std::size_t terminals) {
  if (::isatty(STDIN_FILENO) != 1)
    return base::fail(base::Code::invalid_argument, "this would end " + count_of(terminals),
                      "Say --yes if that is meant.");
  std::cerr << "This ends " << count_of(terminals)
            << ", with everything that runs there, and what extensions hold. Go on? [y/N] ";
  std::string answer;
  std::getline(std::cin, answer);
  if (answer == "y" || answer == "Y" || answer == "yes") return {};
  return base::fail(base::Code::cancelled, "nothing was ended");
}

base::Status stop_all(const std::filesystem::path& runtime_dir, const Running& running) {
  if (running.daemon != 0)
    if (auto ended = signal_and_wait(running.daemon, kQuitSignal, "daemon"); !ended) return ended;
  // The daemon has told the keeper to end, if there was one.
  if (auto ended = signal_and_wait(running.keeper, SIGTERM, "keeper"); !ended) return ended;
  if (auto left = what_runs(runtime_dir))
    return base::fail(base::Code::busy, "another keeper has been started meanwhile");
  std::printf("Everything has ended: %s.\n", count_of(running.terminals).c_str());
  return {};
}

}  // namespace

StopCommand::StopCommand(CLI::App& app)
    : stop_(app.add_subcommand("stop", "End the daemon; the terminals go on")) {
  stop_->add_flag("--all", all_, "End the terminals too, and what extensions hold");
  stop_->add_flag("--yes", yes_, "Do not ask");
}

base::Status StopCommand::run() const {
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  const auto running = what_runs(config->runtime_dir);
  if (!running) return base::fail(running.error());
  if (all_) {
    if (!yes_)
      if (auto sure = confirm(running->terminals); !sure) return sure;
    return stop_all(config->runtime_dir, *running);
  }
  if (running->daemon == 0)
    return base::fail(base::Code::not_found, "no daemon runs",
                      "holdfast stop --all ends the terminals.");
  if (auto ended = signal_and_wait(running->daemon, SIGTERM, "daemon"); !ended) return ended;
  std::printf("The daemon has ended; %s %s on.\n", count_of(running->terminals).c_str(),
              running->terminals == 1 ? "goes" : "go");
  return {};
}

}  // namespace holdfast
