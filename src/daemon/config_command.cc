#include "daemon/config_command.h"

#include <cerrno>
#include <cstdio>

#include "config/load.h"
#include "config/report.h"

namespace holdfast {

base::Status print_config(const config::CommandLine& line) {
  const auto config = config::load(line, config::process_surroundings());
  if (!config) return base::fail(config.error());
  if (std::fputs(config::report(*config).c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return base::fail(base::errno_error(errno, "print the configuration"));
  return {};
}

}  // namespace holdfast
