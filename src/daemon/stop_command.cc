#include "daemon/stop_command.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "config/load.h"
#include "daemon/serve.h"
#include "keeper/ask.h"

namespace holdfast {
namespace {

constexpr std::chrono::seconds kTimeToEnd{60};

struct Running {
  keeper::Processes processes;
  std::size_t terminals = 0;
};

base::Result<Running> what_runs(const std::filesystem::path& runtime_dir) {
  auto processes = keeper::ask_processes(runtime_dir);
  if (!processes) return base::fail(processes.error());
  const auto holding = keeper::ask_holding(runtime_dir);
  if (!holding) return base::fail(holding.error());
  return Running{.processes = std::move(*processes),
                 .terminals = keeper::running_terminals(*holding).size()};
}

base::Status signal_and_wait(const std::optional<keeper::VerifiedProcess>& process, int number,
                             const std::string& what) {
  if (!process) return {};
  if (auto told = process->signal(number); !told)
    return base::fail(told.error().code, "tell the " + what + " to end: " + told.error().what);
  if (process->wait(kTimeToEnd)) return {};
  return base::fail(base::Code::timed_out, "the " + what + " does not end",
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
  if (auto ended = signal_and_wait(running.processes.daemon, kQuitSignal, "daemon"); !ended)
    return ended;
  // The daemon has told the keeper to end, if there was one.
  if (auto ended = signal_and_wait(running.processes.keeper, SIGTERM, "keeper"); !ended)
    return ended;
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
  if (!running->processes.daemon)
    return base::fail(base::Code::not_found, "no daemon runs",
                      "holdfast stop --all ends the terminals.");
  if (auto ended = signal_and_wait(running->processes.daemon, SIGTERM, "daemon"); !ended)
    return ended;
  std::printf("The daemon has ended; %s %s on.\n", count_of(running->terminals).c_str(),
              running->terminals == 1 ? "goes" : "go");
  return {};
}

}  // namespace holdfast
