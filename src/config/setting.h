// A setting is one line of one table (settings.cc). The readers of the sources, the flags, the
// help, `holdfast config` and the table in docs/operations.md all follow it.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/environment.h"
#include "config/value.h"

namespace config {

// What the configuration depends on besides the command line. Tests bring their own.
struct Surroundings {
  base::Environment environment;
  std::filesystem::path home;         // The user's; empty if it cannot be found out.
  std::string account_shell;          // As the account has it; may be empty.
  std::filesystem::path directory;    // Where relative paths of flags and variables begin.
  std::filesystem::path system_file;  // The configuration for everybody on this machine.
  std::filesystem::path env_file;     // Read if it exists, unless another is named.
};

[[nodiscard]] Surroundings process_surroundings();

// Where the value of a setting goes; this also tells its type.
using Member =
    std::variant<Endpoint Config::*, std::filesystem::path Config::*, Secret Config::*,
                 Duration Config::*, Bytes Config::*, std::int64_t Config::*, bool Config::*,
                 std::string Config::*, List Config::*, base::Level Config::*, Isolation Config::*>;

// When a new value counts: as soon as the configuration is read again, or at the next start.
enum class Change { restart, at_once };

struct Setting {
  std::string_view key;          // In TOML, and everybody's name for it.
  std::string_view environment;  // The variable.
  std::string_view flag;         // Empty if there is none.
  Member member;
  std::string_view standard;  // The default, as the help tells it; empty if there is none.
  std::string_view meaning;   // One line, without a full stop.
  Range range{};
  Change change = Change::restart;
  // Finds the default out, if `standard` is not its text; empty if it cannot. The settings further
  // up the table have their values already.
  std::string (*computed)(const Surroundings& surroundings, const Config& config) = nullptr;
};

[[nodiscard]] std::span<const Setting> settings();

// Calls `action` with the setting's own value.
template <class AnyConfig, class Action>
decltype(auto) with_value(const Setting& setting, AnyConfig& config, Action action) {
  return std::visit([&](auto member) -> decltype(auto) { return action(config.*member); },
                    setting.member);
}

// The settings in which the two differ.
[[nodiscard]] std::vector<const Setting*> differences(const Config& one, const Config& other);
// Gives `to` the value that `from` has, with where it came from.
void copy_value(const Setting& setting, const Config& from, Config& to);

[[nodiscard]] Form form_of(const Setting& setting);
[[nodiscard]] std::string show(const Setting& setting, const Config& config);

}  // namespace config
