// `holdfast config`: prints the settings that `holdfast serve` would use with the same flags.

#pragma once

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "config/command_line.h"

namespace cli {

class ConfigCommand {
 public:
  explicit ConfigCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return config_->parsed(); }
  [[nodiscard]] base::Status run() const;

 private:
  CLI::App* config_;
  config::CommandLine line_;
};

}  // namespace cli
