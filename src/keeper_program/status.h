// What a keeper holds, for people and for programs: `holdfast-keeper --status [--json]`.

#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace keeper {

enum class StatusFormat { text, json };

// Asks the keeper of a runtime directory. Does not displace the owner.
[[nodiscard]] base::Result<std::string> status(const std::filesystem::path& runtime_dir,
                                               StatusFormat format);

}  // namespace keeper
