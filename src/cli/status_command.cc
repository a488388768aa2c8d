#include <unistd.h>

#include <cstdio>

#include <boost/json.hpp>

#include "base/printable.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/running.h"
#include "config/load.h"

namespace cli {
namespace {

namespace json = boost::json;

json::value as_json(const std::optional<RunningProcess>& process) {
  if (!process) return nullptr;
  return json::object{{"pid", process->pid},
                      {"version", process->version},
                      {"uptime", process->uptime.count()},
                      {"memory", process->memory}};
}

std::string as_json(const Running& running) {
  return json::serialize(json::object{{"version", base::version()},
                                      {"daemon", as_json(running.daemon)},
                                      {"keeper", as_json(running.keeper)},
                                      {"terminals", running.terminals},
                                      {"sessions", running.sessions},
                                      {"viewers", running.viewers},
                                      {"connections", running.connections}});
}

void print(const char* name, const std::optional<RunningProcess>& process) {
  if (!process) {
    std::printf("%-10s not running\n", name);
    return;
  }
  const std::string version =
      process->version.empty() ? "unknown version" : base::printable(process->version);
  std::printf("%-10s %s, pid %llu, up %s, %s of memory\n", name, version.c_str(),
              static_cast<unsigned long long>(process->pid), in_words(process->uptime).c_str(),
              in_bytes(process->memory).c_str());
}

class StatusCommand final : public Command {
 public:
  explicit StatusCommand(const Arguments& holdfast)
      : Command(holdfast, "status", "Show what runs: daemon, keeper, terminals, viewers",
                Where::here) {
    command().add_flag("--json", json_, "Print JSON");
    explain(command(), {"holdfast status", "holdfast status --json"},
            "Does not start a daemon.\n\n"
            "Exit status: 0 if a daemon runs, 1 if none does or on errors.");
  }

  base::Result<int> run() override {
    const auto config = config::load({}, config::process_surroundings());
    if (!config) return base::fail(config.error());
    const auto running = what_runs(*config);
    if (!running) return base::fail(running.error());
    if (json_) {
      std::printf("%s\n", as_json(*running).c_str());
    } else {
      print("daemon", running->daemon);
      print("keeper", running->keeper);
      std::printf("%-10s %zu running\n", "terminals", running->terminals);
      if (running->daemon)
        std::printf("%-10s %zu\n%-10s %zu\n%-10s %zu\n", "sessions", running->sessions, "viewers",
                    running->viewers, "clients", running->connections);
    }
    return running->daemon ? 0 : 1;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_status_command(const Arguments& holdfast) {
  return std::make_unique<StatusCommand>(holdfast);
}

}  // namespace cli
