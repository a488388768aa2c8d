// `holdfast config`: prints the settings that `holdfast serve` would use with the same flags.

#include <cerrno>
#include <cstdio>

#include <boost/json.hpp>

#include "cli/command.h"
#include "config/load.h"
#include "config/report.h"

namespace cli {
namespace {

namespace json = boost::json;

std::string as_json(const config::Config& config) {
  json::object all;
  for (const config::Reported& each : config::reported(config))
    all[each.key] = {{"value", each.value}, {"origin", each.origin}};
  return json::serialize(json::object{{"settings", std::move(all)}});
}

class ConfigCommand final : public Command {
 public:
  explicit ConfigCommand(const Arguments& holdfast);
  base::Result<int> run() override;

 private:
  config::CommandLine line_;
  bool json_ = false;
};

}  // namespace

ConfigCommand::ConfigCommand(const Arguments& holdfast)
    : Command(holdfast, "config", "Print the settings and where each comes from", Where::here) {
  config::add_flags(command().app(), line_);
  command().add_flag("--json", json_, "Print JSON");
  explain(command(), {"holdfast config", "holdfast config --json"});
}

base::Result<int> ConfigCommand::run() {
  const auto config = config::load(line_, config::process_surroundings());
  if (!config) return base::fail(config.error());
  const std::string text = json_ ? as_json(*config) + "\n" : config::report(*config);
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return base::fail(base::errno_error(errno, "print the configuration"));
  return 0;
}

std::unique_ptr<Command> make_config_command(const Arguments& holdfast) {
  return std::make_unique<ConfigCommand>(holdfast);
}

}  // namespace cli
