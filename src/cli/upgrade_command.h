// `holdfast upgrade`: upgrades the running keeper and daemon to the version of this program.

#pragma once

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace cli {

class UpgradeCommand {
 public:
  explicit UpgradeCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return upgrade_->parsed(); }
  [[nodiscard]] base::Status run() const;

 private:
  CLI::App* upgrade_;
};

}  // namespace cli
