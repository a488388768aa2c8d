// A setting is one entry of the table in settings.cc. The parsers, the flags, the help, `holdfast
// config` and the table in docs/operations.md all follow that table.

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

// What the configuration depends on besides the command line. Tests supply their own.
struct Surroundings {
  base::Environment environment;
  std::filesystem::path home;         // The user's; empty if unknown.
  std::string account_shell;          // The account's login shell; may be empty.
  std::filesystem::path directory;    // The base of relative paths in flags and variables.
  std::filesystem::path system_file;  // The configuration for everybody on this machine.
  std::filesystem::path env_file;     // Read if it exists, unless another is named.
};

[[nodiscard]] Surroundings process_surroundings();

// The member that holds a setting's value; also determines its type.
using Member =
    std::variant<Endpoint Config::*, std::filesystem::path Config::*, Secret Config::*,
                 Duration Config::*, Bytes Config::*, std::int64_t Config::*, bool Config::*,
                 std::string Config::*, List Config::*, base::Level Config::*, Isolation Config::*>;

// When a new value takes effect: when the configuration is reloaded, or at the next start.
enum class Change { restart, at_once };

struct Setting {
  std::string_view key;          // The name in TOML and everywhere else.
  std::string_view environment;  // The variable.
  std::string_view flag;         // Empty if there is none.
  Member member;
  std::string_view standard;  // The default as the help shows it; empty if none.
  std::string_view meaning;   // One line, without a full stop.
  Range range{};
  Change change = Change::restart;
  // Computes the default, if `standard` is only a description. Returns an empty string on failure.
  // Settings earlier in the table already have their values.
  std::string (*computed)(const Surroundings& surroundings, const Config& config) = nullptr;
};

[[nodiscard]] std::span<const Setting> settings();

// Calls `action` with the setting's own value.
template <class AnyConfig, class Action>
decltype(auto) with_value(const Setting& setting, AnyConfig& config, Action action) {
  return std::visit([&](auto member) -> decltype(auto) { return action(config.*member); },
                    setting.member);
}

// The settings that differ.
[[nodiscard]] std::vector<const Setting*> differences(const Config& one, const Config& other);
// Copies a setting's value and origin.
void copy_value(const Setting& setting, const Config& from, Config& to);

[[nodiscard]] Form form_of(const Setting& setting);
[[nodiscard]] std::string show(const Setting& setting, const Config& config);

}  // namespace config
