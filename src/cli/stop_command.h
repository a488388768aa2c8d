// `holdfast stop`: stops the daemon and leaves the terminals running. With `--all` it ends
// everything, after asking.

#pragma once

#include "base/result.h"
#include "cli/arguments.h"

namespace cli {

class StopCommand {
 public:
  explicit StopCommand(const Arguments& app);
  [[nodiscard]] bool was_given() const { return stop_.was_given(); }
  [[nodiscard]] base::Status run() const;

 private:
  Arguments stop_;
  bool all_ = false;
  bool yes_ = false;
};

}  // namespace cli
