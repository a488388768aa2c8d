// The effective configuration, for people.

#pragma once

#include <string>
#include <vector>

#include "config/config.h"

namespace config {

struct Reported {
  std::string key;
  std::string value;
  std::string origin;
};
// Every setting, its value, and where the value came from. Secrets are not shown.
[[nodiscard]] std::vector<Reported> reported(const Config& config);
// The same as text: one line per setting: in columns.
[[nodiscard]] std::string report(const Config& config);

}  // namespace config
