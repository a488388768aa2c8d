// The effective configuration, for people.

#pragma once

#include <string>

#include "config/config.h"

namespace config {

// A line for each setting: its key, its value, and where that came from. Secrets are not told.
[[nodiscard]] std::string report(const Config& config);

}  // namespace config
