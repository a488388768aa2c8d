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
  std::optional<std::string> config_file;         // Replaces the two default files.
  std::optional<std::string> env_file;            // Replaces the default file.
  std::map<std::string_view, std::string> flags;  // The given values, by key.
};

// Adds the options to a command. Parsing fills `line`, which must outlive the command.
void add_flags(CLI::App& command, CommandLine& line);

}  // namespace config
