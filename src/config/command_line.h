// The flags of `holdfast serve` and `holdfast config`, from the table of settings.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {  // NOLINT(readability-identifier-naming): it is CLI11's.
class App;
}

namespace config {

struct CommandLine {
  std::optional<std::string> config_file;         // Instead of the usual two.
  std::optional<std::string> env_file;            // Instead of the usual one.
  std::map<std::string_view, std::string> flags;  // The values that were given, by key.
};

// Adds the options to a command; parsing it fills `line`, which must outlive the command.
void add_flags(CLI::App& command, CommandLine& line);

}  // namespace config
