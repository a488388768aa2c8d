// The commands of `holdfast` as data, taken from their declarations, and what is made from it: the
// man page, docs/cli.md, and completions for shells.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"

namespace cli {

struct ManualOption {
  std::vector<std::string> names;  // --session, -s; of an argument its name alone.
  bool is_argument = false;        // It has a place instead of a name.
  bool is_required = false;
  bool takes_value = false;
  bool repeats = false;
  std::string meaning;
};

struct ManualCommand {
  std::string name;  // `ls`, or `token new`.
  std::string meaning;
  std::vector<ManualOption> options;
  std::string more;  // Paragraphs.
  std::vector<std::string> examples;

  // holdfast ls [options]
  [[nodiscard]] std::string usage() const;
};

[[nodiscard]] std::vector<ManualCommand> commands_of(const Arguments& holdfast);

[[nodiscard]] std::string as_man_page(const std::vector<ManualCommand>& commands);
// That of one command, which is followed by its subcommands.
[[nodiscard]] std::string as_man_page_of(const std::vector<ManualCommand>& commands);
[[nodiscard]] std::string as_markdown(const std::vector<ManualCommand>& commands);
// For bash, zsh or fish. None for others.
[[nodiscard]] std::optional<std::string> completions(const std::vector<ManualCommand>& commands,
                                                     std::string_view shell);

}  // namespace cli
