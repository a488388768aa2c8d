// `holdfast config`: prints the settings that `holdfast serve` would use with the same flags.

#pragma once

#include "base/result.h"
#include "cli/arguments.h"
#include "config/command_line.h"

namespace cli {

class ConfigCommand {
 public:
  explicit ConfigCommand(const Arguments& app);
  [[nodiscard]] bool was_given() const { return config_.was_given(); }
  [[nodiscard]] base::Status run() const;

 private:
  Arguments config_;
  config::CommandLine line_;
};

}  // namespace cli
