// The TOML source: one key for each setting, no tables.

#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/given.h"

namespace config {

// What the text of the file says, in its order. Unknown keys and values of a wrong type are
// errors that name the line and what is allowed.
[[nodiscard]] base::Result<std::vector<Given>> parse_toml(std::string_view text,
                                                          const std::filesystem::path& path);

}  // namespace config
