// The value that one source gives to one setting.

#pragma once

#include <filesystem>
#include <string>

#include "config/setting.h"

namespace config {

struct Given {
  const Setting* setting = nullptr;
  std::string text;
  std::string origin;               // For people: a file and its line, a variable, a flag.
  std::filesystem::path directory;  // The base of relative paths.
};

}  // namespace config
