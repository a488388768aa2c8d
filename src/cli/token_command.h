// `holdfast token`: creates, lists and revokes tokens. It works on the store, not through a daemon.
// A running daemon notices the change by itself.

#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace cli {

class TokenCommand {
 public:
  explicit TokenCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return token_->parsed(); }
  [[nodiscard]] base::Status run() const;

 private:
  CLI::App* token_;
  CLI::App* new_;
  CLI::App* list_;
  std::string state_dir_;  // Empty: as configured.
  std::string user_;
  std::string label_;
  std::string hash_;
  bool view_ = false;
};

}  // namespace cli
