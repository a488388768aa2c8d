#include "extension/discovery.h"

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>

#include "base/id.h"

namespace extension {

namespace fs = std::filesystem;

namespace {

constexpr std::array kKinds{".ts", ".mts", ".js", ".mjs", ".cjs"};

bool is_entry(const fs::path& file) {
  return std::ranges::find(kKinds, file.extension().string()) != kKinds.end();
}

// None if it is not an extension.
std::optional<FoundExtension> extension_at(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (const char* const kind : kKinds)
      if (const fs::path entry = path / (std::string("index") + kind); fs::exists(entry, error))
        return FoundExtension{.name = path.filename().string(), .path = entry};
    return std::nullopt;
  }
  if (!is_entry(path) || !fs::is_regular_file(path, error)) return std::nullopt;
  // Type declarations cannot run.
  if (path.stem().extension() == ".d") return std::nullopt;
  return FoundExtension{.name = path.stem().string(), .path = path};
}

bool is_passed_over(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with('.') || name.starts_with('_') || name == "node_modules";
}

std::vector<fs::path> entries_of(const fs::path& directory) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    if (!is_passed_over(at->path())) entries.push_back(at->path());
  std::ranges::sort(entries);
  return entries;
}

void add(Discovery& discovery, FoundExtension found) {
  if (!base::is_valid_name(found.name)) {
    discovery.warnings.push_back(
        found.path.string() +
        " is skipped: the name of an extension must use A-Z a-z 0-9 . _ - and "
        "start with a letter or a digit");
    return;
  }
  const auto same = std::ranges::find(discovery.extensions, found.name, &FoundExtension::name);
  if (same == discovery.extensions.end())
    discovery.extensions.push_back(std::move(found));
  else if (same->path != found.path)
    discovery.warnings.push_back(found.path.string() + " is skipped: " + same->path.string() +
                                 " has the same name");
}

}  // namespace

Discovery discover(const std::vector<fs::path>& paths, const std::vector<fs::path>& directories) {
  Discovery discovery;
  for (const fs::path& path : paths) {
    if (auto found = extension_at(path))
      add(discovery, *std::move(found));
    else
      discovery.warnings.push_back(
          path.string() + " is not an extension: no such file, or no index file in the folder");
  }
  for (const fs::path& directory : directories)
    for (const fs::path& path : entries_of(directory))
      if (auto found = extension_at(path)) add(discovery, *std::move(found));
  return discovery;
}

}  // namespace extension
