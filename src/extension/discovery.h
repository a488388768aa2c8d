// Finds a session's extensions: files and folders, searched again each time.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace extension {

struct FoundExtension {
  std::string name;
  std::filesystem::path path;  // Its entry file.

  friend bool operator==(const FoundExtension&, const FoundExtension&) = default;
};

struct Discovery {
  std::vector<FoundExtension> extensions;
  std::vector<std::string> warnings;
};

// Each of `paths` is an extension. Each of `directories` contains extensions, or does not exist.
[[nodiscard]] Discovery discover(const std::vector<std::filesystem::path>& paths,
                                 const std::vector<std::filesystem::path>& directories);

}  // namespace extension
