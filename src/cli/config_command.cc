#include "cli/config_command.h"

#include <cerrno>
#include <cstdio>

#include "cli/command.h"
#include "config/load.h"
#include "config/report.h"

namespace cli {

ConfigCommand::ConfigCommand(const Arguments& app)
    : config_(app.add_subcommand("config", "Print the settings and where each comes from")) {
  config::add_flags(config_.app(), line_);
  explain(config_, {"holdfast config"});
}

base::Status ConfigCommand::run() const {
  const auto config = config::load(line_, config::process_surroundings());
  if (!config) return base::fail(config.error());
  if (std::fputs(config::report(*config).c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return base::fail(base::errno_error(errno, "print the configuration"));
  return {};
}

}  // namespace cli
