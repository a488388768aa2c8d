// `holdfast stop`: stops the daemon and leaves the terminals running. With `--all` it ends
// everything, after asking.

#pragma once

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace cli {

class StopCommand {
 public:
  explicit StopCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return stop_->parsed(); }
  [[nodiscard]] base::Status run() const;

 private:
  CLI::App* stop_;
  bool all_ = false;
  bool yes_ = false;
};

}  // namespace cli
