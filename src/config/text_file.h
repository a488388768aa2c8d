// Reads a small text file.

#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace config {

// `not_found` if the file does not exist. Any other error means that it exists.
[[nodiscard]] base::Result<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace config
