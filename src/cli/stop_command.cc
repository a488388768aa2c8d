// `holdfast stop`: stops the daemon and leaves the terminals running. With `--all` it ends
// everything, after asking.

#include <signal.h>

#include <chrono>
#include <cstdio>

#include "cli/command.h"
#include "cli/confirm.h"
#include "cli/running.h"
#include "config/load.h"
#include "daemon/serve.h"
#include "keeper_client/ask.h"

namespace cli {
namespace {

constexpr std::chrono::seconds kTimeToEnd{60};

struct Held {
  keeper::Processes processes;
  std::size_t terminals = 0;
};

base::Result<Held> what_is_held(const std::filesystem::path& runtime_dir) {
  auto processes = keeper::ask_processes(runtime_dir);
  if (!processes) return base::fail(processes.error());
  const auto holding = keeper::ask_holding(runtime_dir);
  if (!holding) return base::fail(holding.error());
  return Held{.processes = std::move(*processes),
              .terminals = keeper::running_terminals(*holding).size()};
}

base::Status signal_and_wait(const std::optional<base::VerifiedProcess>& process, int number,
                             const std::string& what) {
  if (!process) return {};
  if (auto told = process->signal(number); !told)
    return base::fail(told.error().code, "cannot stop the " + what + ": " + told.error().what);
  if (process->wait(kTimeToEnd)) return {};
  return base::fail(base::Code::timed_out, "the " + what + " did not stop in time",
                    "See its log for what it is waiting for.");
}

base::Status stop_all(const std::filesystem::path& runtime_dir, const Held& running) {
  if (auto ended = signal_and_wait(running.processes.daemon, holdfast::kQuitSignal, "daemon");
      !ended)
    return ended;
  // If there was a daemon, it has already told the keeper to end.
  if (auto ended = signal_and_wait(running.processes.keeper, SIGTERM, "keeper"); !ended)
    return ended;
  if (auto left = what_is_held(runtime_dir))
    return base::fail(base::Code::busy, "another keeper started in the meantime");
  std::printf("Stopped everything, including %s.\n",
              count_of(running.terminals, "terminal").c_str());
  return {};
}

class StopCommand final : public Command {
 public:
  explicit StopCommand(const Arguments& holdfast);
  base::Result<int> run() override;

 private:
  bool all_ = false;
  bool yes_ = false;
};

}  // namespace

StopCommand::StopCommand(const Arguments& holdfast)
    : Command(holdfast, "stop", "Stop the daemon; the terminals keep running", Where::here) {
  command().add_flag("--all", all_, "Also end the terminals and what extensions hold");
  command().add_flag("--yes", yes_, "Do not ask for confirmation");
  explain(command(), {"holdfast stop", "holdfast stop --all"});
}

base::Result<int> StopCommand::run() {
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  const auto running = what_is_held(config->runtime_dir);
  if (!running) return base::fail(running.error());
  if (all_) {
    if (!yes_)
      if (auto sure = confirm("This ends " + count_of(running->terminals, "terminal") +
                              ", everything running in them, and what extensions hold");
          !sure)
        return exit_status(sure);
    return exit_status(stop_all(config->runtime_dir, *running));
  }
  if (!running->processes.daemon)
    return base::fail(base::Code::not_found, "no daemon is running",
                      "To end the terminals, use: holdfast stop --all");
  if (auto ended = signal_and_wait(running->processes.daemon, SIGTERM, "daemon"); !ended)
    return exit_status(ended);
  std::printf("The daemon has stopped; %s %s running.\n",
              count_of(running->terminals, "terminal").c_str(),
              running->terminals == 1 ? "keeps" : "keep");
  return 0;
}

std::unique_ptr<Command> make_stop_command(const Arguments& holdfast) {
  return std::make_unique<StopCommand>(holdfast);
}

}  // namespace cli
