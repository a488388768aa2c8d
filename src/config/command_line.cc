#include "config/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "config/setting.h"

namespace config {
namespace {

std::string help_of(const Setting& setting) {
  const std::string standard =
      setting.standard.empty() ? "" : fmt::format("default {}; ", setting.standard);
  return fmt::format("{} [{}{}]", setting.meaning, standard, setting.environment);
}

void add_flag(CLI::App& command, CommandLine& line, const Setting& setting) {
  auto* option = command.add_option_function<std::string>(
      std::string(setting.flag),
      [&line, key = setting.key](const std::string& value) {
        line.flags[key] = value.empty() ? "true" : value;
      },
      help_of(setting));
  const Form form = form_of(setting);
  option->type_name(std::string(form.placeholder));
  if (form.toml == toml_list)
    option->join(',');
  else
    option->take_last();
  // A boolean flag without a value means true.
  if (form.toml == toml_boolean) option->expected(0, 1);
}

}  // namespace

void add_flags(CLI::App& command, CommandLine& line) {
  command
      .add_option("--config", line.config_file,
                  "Read this file instead of /etc/holdfast/config.toml and "
                  "~/.config/holdfast/config.toml")
      ->type_name("FILE");
  command
      .add_option("--env-file", line.env_file,
                  "Read variables from this file [default /etc/workspace/agent.env, if it exists]")
      ->type_name("FILE");
  std::string without_flag;
  for (const Setting& setting : settings()) {
    if (setting.flag.empty())
      without_flag += fmt::format("\n  {}: {}", setting.environment, setting.meaning);
    else
      add_flag(command, line, setting);
  }
  command.footer(fmt::format(
      "Flags override the environment, which overrides the env file, which overrides the "
      "configuration files.\nIn those files, settings are named like their flags: "
      "output_buffer_size for --output-buffer-size.\nSettings without a flag:{}",
      without_flag));
}

}  // namespace config
