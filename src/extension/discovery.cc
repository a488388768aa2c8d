#include "extension/discovery.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <system_error>

#include <boost/json/parse.hpp>

#include "base/id.h"
#include "extension/params.h"

namespace extension {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

constexpr std::array kKinds{".ts", ".mts", ".js", ".mjs", ".cjs"};

bool is_entry(const fs::path& file) {
  return std::ranges::find(kKinds, file.extension().string()) != kKinds.end();
}

// None if it is not the code of an extension.
std::optional<fs::path> code_at(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (const char* const kind : kKinds)
      if (fs::path entry = path / (std::string("index") + kind); fs::exists(entry, error))
        return entry;
    return std::nullopt;
  }
  // Type declarations cannot run.
  const bool is_code = is_entry(path) && path.stem().extension() != ".d";
  return is_code && fs::is_regular_file(path, error) ? std::optional(path) : std::nullopt;
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

// What a folder's package.json says of extensions. None if there is no such file.
struct Manifest {
  std::string fault;               // Why it cannot be read.
  std::vector<std::string> paths;  // `pi.extensions`, relative to the folder.
};

std::optional<Manifest> manifest_of(const fs::path& folder) {
  constexpr std::size_t kLargest = 1024 * 1024;
  std::ifstream file(folder / "package.json", std::ios::binary);
  if (!file) return std::nullopt;
  std::string text(kLargest, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  boost::system::error_code error;
  const json::value parsed = json::parse(text, error);
  if (error || !parsed.is_object()) return Manifest{.fault = "it is no JSON object", .paths = {}};
  Params params(parsed.get_object());
  const json::value pi = params.value("pi");
  if (!pi.is_object()) return Manifest{};
  Params own(pi.get_object());
  Manifest manifest{.fault = {}, .paths = own.texts("extensions")};
  if (!own.fault()) manifest.fault = "pi.extensions must be a list of paths";
  return manifest;
}

// The code at a path that a package.json names: a file, a folder with an index, or a folder of
// extensions.
std::vector<fs::path> code_below(const fs::path& path) {
  if (auto code = code_at(path)) return {*std::move(code)};
  std::vector<fs::path> all;
  for (const fs::path& entry : entries_of(path))
    if (auto code = code_at(entry)) all.push_back(*std::move(code));
  return all;
}

std::string name_of(const fs::path& code) {
  return code.stem() == "index" ? code.parent_path().filename().string() : code.stem().string();
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

// Adds what a package.json names. The only extension of a folder is called like the folder.
void add_named(Discovery& discovery, const fs::path& folder, const Manifest& manifest) {
  const std::string file = (folder / "package.json").string();
  if (!manifest.fault.empty())
    discovery.warnings.push_back(file + " is skipped: " + manifest.fault);
  std::vector<fs::path> all;
  for (const std::string& path : manifest.paths) {
    const fs::path inside = fs::path(path).lexically_normal();
    const bool leaves = inside.is_absolute() || inside.string().starts_with("..");
    const auto some = leaves ? std::vector<fs::path>() : code_below(folder / inside);
    if (some.empty())
      discovery.warnings.push_back(file + " names " + path + " in pi.extensions: " +
                                   (leaves ? "it is not in this folder" : "there is no extension"));
    all.insert(all.end(), some.begin(), some.end());
  }
  const std::string name = folder.filename().string();
  for (const fs::path& code : all)
    add(discovery, {.name = all.size() == 1 ? name : name + "." + name_of(code), .path = code});
}

// False if there is no extension, and nothing that was meant to be one.
bool add_at(Discovery& discovery, const fs::path& path) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  const auto manifest = is_folder ? manifest_of(path) : std::nullopt;
  if (manifest && (!manifest->paths.empty() || !manifest->fault.empty())) {
    add_named(discovery, path, *manifest);
    return true;
  }
  if (const auto code = code_at(path)) {
    add(discovery,
        {.name = is_folder ? path.filename().string() : code->stem().string(), .path = *code});
    return true;
  }
  if (!manifest) return false;
  discovery.warnings.push_back(path.string() +
                               " is skipped: it has no index file, and its package.json names no "
                               "pi.extensions");
  return true;
}

}  // namespace

Discovery discover(const std::vector<fs::path>& paths, const std::vector<fs::path>& directories) {
  Discovery discovery;
  for (const fs::path& path : paths) {
    if (!add_at(discovery, path))
      discovery.warnings.push_back(
          path.string() + " is not an extension: no such file, or no index file in the folder");
  }
  for (const fs::path& directory : directories)
    for (const fs::path& path : entries_of(directory)) (void)add_at(discovery, path);
  return discovery;
}

}  // namespace extension
