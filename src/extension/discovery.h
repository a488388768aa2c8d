// Finds a session's extensions: files and folders, searched again each time.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace extension {

struct Found {
  std::string name;
  std::filesystem::path path;  // Its entry file.

  friend bool operator==(const Found&, const Found&) = default;
};

struct Discovery {
  std::vector<Found> extensions;
  std::vector<std::string> warnings;
};

// Each of `paths` is an extension. Each of `directories` contains extensions, or does not exist.
[[nodiscard]] Discovery discover(const std::vector<std::filesystem::path>& paths,
                                 const std::vector<std::filesystem::path>& directories);

}  // namespace extension
