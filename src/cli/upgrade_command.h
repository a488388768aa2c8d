// `holdfast upgrade`: upgrades the running keeper and daemon to the version of this program.

#pragma once

#include "base/result.h"
#include "cli/arguments.h"

namespace cli {

class UpgradeCommand {
 public:
  explicit UpgradeCommand(const Arguments& app);
  [[nodiscard]] bool was_given() const { return upgrade_.was_given(); }
  [[nodiscard]] base::Status run() const;

 private:
  Arguments upgrade_;
};

}  // namespace cli
