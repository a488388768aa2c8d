// What `holdfast doctor` looks at. Each check changes nothing.

#pragma once

#include <string>
#include <vector>

#include "cli/running.h"
#include "config/config.h"

namespace cli {

struct Finding {
  std::string about;
  bool is_wrong = false;
  std::string what;
  std::string advice{};  // What to do, if something is wrong.
};

[[nodiscard]] std::vector<Finding> examine(const config::Config& config);

}  // namespace cli
