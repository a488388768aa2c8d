// `holdfast config`: prints what `holdfast serve` with the same flags would go by.

#pragma once

#include "base/result.h"
#include "config/command_line.h"

namespace holdfast {

[[nodiscard]] base::Status print_config(const config::CommandLine& line);

}  // namespace holdfast
