// `holdfast config`: prints the settings that `holdfast serve` would use with the same flags.

#include <cerrno>
#include <cstdio>

#include "cli/command.h"
#include "config/load.h"
#include "config/report.h"

namespace cli {
namespace {

class ConfigCommand final : public Command {
 public:
  explicit ConfigCommand(const Arguments& holdfast);
  base::Result<int> run() override;

 private:
  config::CommandLine line_;
};

}  // namespace

ConfigCommand::ConfigCommand(const Arguments& holdfast)
    : Command(holdfast, "config", "Print the settings and where each comes from", Where::here) {
  config::add_flags(command().app(), line_);
  explain(command(), {"holdfast config"});
}

base::Result<int> ConfigCommand::run() {
  const auto config = config::load(line_, config::process_surroundings());
  if (!config) return base::fail(config.error());
  if (std::fputs(config::report(*config).c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return base::fail(base::errno_error(errno, "print the configuration"));
  return 0;
}

std::unique_ptr<Command> make_config_command(const Arguments& holdfast) {
  return std::make_unique<ConfigCommand>(holdfast);
}

}  // namespace cli
