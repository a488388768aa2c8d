// Loads the configuration from all its sources. Later ones win: defaults, the machine's file, the
// user's file, the env file, the environment, flags.

#pragma once

#include "base/result.h"
#include "config/command_line.h"
#include "config/config.h"
#include "config/setting.h"

namespace config {

// Fails at the first error, even if another source overrides that value: a mistake in a file should
// be found before it matters.
[[nodiscard]] base::Result<Config> load(const CommandLine& line, const Surroundings& around);

}  // namespace config
