// What one source says about one setting.

#pragma once

#include <filesystem>
#include <string>

#include "config/setting.h"

namespace config {

struct Given {
  const Setting* setting = nullptr;
  std::string text;
  std::string origin;               // For people: a file and its line, a variable, a flag.
  std::filesystem::path directory;  // Where a relative path begins.
};

}  // namespace config
