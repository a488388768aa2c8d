#include "session/shell_integration.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace session {
namespace {

using Environment = std::vector<std::string>;

// The last one counts, as in the child.
std::optional<std::string> value_of(const Environment& environment, std::string_view name) {
  std::optional<std::string> value;
  for (const std::string& entry : environment)
    if (entry.starts_with(name) && entry.size() > name.size() && entry[name.size()] == '=')
      value = entry.substr(name.size() + 1);
  return value;
}

void set(Environment& environment, std::string_view name, std::string_view value) {
  std::erase_if(environment, [&](const std::string& entry) {
    return entry.starts_with(name) && entry.size() > name.size() && entry[name.size()] == '=';
  });
  environment.push_back(std::string(name).append("=").append(value));
}

// The script finds the old value in `keeps` and puts it back.
void replace(Environment& environment, std::string_view name, std::string_view value,
             std::string_view keeps) {
  if (const auto old = value_of(environment, name)) set(environment, keeps, *old);
  set(environment, name, value);
}

// A shell that cannot read its script would not read its user's files either.
bool can_be_read(const std::filesystem::path& folder, Readers readers) {
  if (readers == Readers::own) return ::access(folder.c_str(), R_OK | X_OK) == 0;
  using std::filesystem::perms;
  std::error_code error;
  for (std::filesystem::path path = folder; path.has_relative_path(); path = path.parent_path()) {
    const auto permissions = std::filesystem::status(path, error).permissions();
    if (error || (permissions & perms::others_exec) == perms::none) return false;
  }
  return true;
}

bool is_plain(const std::vector<std::string>& command) {
  static constexpr std::array<std::string_view, 6> kHarmless{"-i",      "-l",  "-il",
                                                             "--login", "-li", "--interactive"};
  return std::ranges::all_of(command.begin() + 1, command.end(), [](const std::string& argument) {
    return std::ranges::find(kHarmless, argument) != kHarmless.end();
  });
}

std::string name_of(const std::vector<std::string>& command) {
  return std::filesystem::path(command.front()).filename();
}

}  // namespace

bool is_integrated_shell(const std::filesystem::path& scripts, Readers readers,
                         const std::vector<std::string>& command) {
  if (command.empty() || !is_plain(command)) return false;
  const std::string shell = name_of(command);
  return (shell == "bash" || shell == "zsh" || shell == "fish") && can_be_read(scripts, readers);
}

void integrate_shell(const std::filesystem::path& scripts, const std::vector<std::string>& command,
                     Environment& environment) {
  const std::string shell = name_of(command);
  if (shell == "bash") {
    // A user who wants POSIX mode gets it.
    if (value_of(environment, "POSIXLY_CORRECT")) return;
    replace(environment, "ENV", (scripts / "bash/holdfast.bash").string(), "HOLDFAST_SHELL_ENV");
    set(environment, "POSIXLY_CORRECT", "y");
  } else if (shell == "zsh") {
    replace(environment, "ZDOTDIR", (scripts / "zsh").string(), "HOLDFAST_SHELL_ZDOTDIR");
  } else if (shell == "fish") {
    const auto folders = value_of(environment, "XDG_DATA_DIRS");
    // Where fish looks if the variable is not set.
    const std::string others =
        folders && !folders->empty() ? *folders : "/usr/local/share:/usr/share";
    set(environment, "HOLDFAST_SHELL_DATA", folders.value_or(""));
    set(environment, "XDG_DATA_DIRS", scripts.string() + ":" + others);
  }
}

}  // namespace session
