// A small file as one text.

#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace config {

// `not_found` if there is none; every other failure is one of a file that is there.
[[nodiscard]] base::Result<std::string> read_text_file(const std::filesystem::path& path);

}  // namespace config
