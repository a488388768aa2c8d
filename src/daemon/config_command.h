// `holdfast config`: prints the settings that `holdfast serve` would use with the same flags.

#pragma once

#include "base/result.h"
#include "config/command_line.h"

namespace holdfast {

[[nodiscard]] base::Status print_config(const config::CommandLine& line);

}  // namespace holdfast
