// Which extensions a session has: files and folders, found anew each time.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace extension {

struct Found {
  std::string name;
  std::filesystem::path path;  // The file that is its entry.

  friend bool operator==(const Found&, const Found&) = default;
};

struct Discovery {
  std::vector<Found> extensions;
  std::vector<std::string> warnings;
};

// Each of `paths` is an extension; each of `directories` holds some, or is not there.
[[nodiscard]] Discovery discover(const std::vector<std::filesystem::path>& paths,
                                 const std::vector<std::filesystem::path>& directories);

}  // namespace extension
