// `holdfast run SESSION LINE`: the command bar from a shell. It speaks the native protocol over the
// daemon's Unix socket.

#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace cli {

class RunCommand {
 public:
  explicit RunCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return run_->parsed(); }
  // Prints output as it arrives and asks questions on the terminal, if there is one. Returns the
  // exit code for the shell.
  [[nodiscard]] base::Result<int> run() const;

 private:
  CLI::App* run_;
  std::string session_;
  std::string line_;
};

}  // namespace cli
