// The effective configuration, for people.

#pragma once

#include <string>

#include "config/config.h"

namespace config {

// One line per setting: key, value, and where the value came from. Secrets are not shown.
[[nodiscard]] std::string report(const Config& config);

}  // namespace config
