// `holdfast sign-ins`: lists the browsers that were let in, and ends a sign-in. It asks the running
// daemon over its Unix socket.

#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace cli {

class SignInsCommand {
 public:
  explicit SignInsCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return sign_ins_->parsed(); }
  [[nodiscard]] base::Status run() const;

 private:
  CLI::App* sign_ins_;
  CLI::App* end_;
  std::string id_;
};

}  // namespace cli
