// The TOML configuration file: one key per setting, no tables.

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/given.h"

namespace config {

// The settings in the file, in order. Unknown keys and wrong types are errors that name the line
// and what is allowed.
[[nodiscard]] base::Result<std::vector<Given>> parse_toml(std::string_view text,
                                                          const std::filesystem::path& path);

}  // namespace config
