// The configuration, from all its sources. In rising order of strength: defaults, the machine's
// file, the user's file, the env file, the environment, flags.

#pragma once

#include "base/result.h"
#include "config/command_line.h"
#include "config/config.h"
#include "config/setting.h"

namespace config {

// Fails at the first thing that is wrong, even where a stronger source says otherwise: what
// stands in a file and cannot be read is a mistake, whether it matters today or not.
[[nodiscard]] base::Result<Config> load(const CommandLine& line, const Surroundings& around);

}  // namespace config
