// `holdfast run SESSION LINE`: the command bar from a shell. It speaks the native protocol over the
// daemon's Unix socket.

#pragma once

#include <string>

#include "base/result.h"
#include "cli/arguments.h"

namespace cli {

// Runs a line as the command bar does. Returns the exit status.
[[nodiscard]] base::Result<int> run_line(const std::string& session, const std::string& line);

class RunCommand {
 public:
  explicit RunCommand(const Arguments& app);
  [[nodiscard]] bool was_given() const { return run_.was_given(); }
  // Prints output as it arrives and asks questions on the terminal, if there is one. Returns the
  // exit code for the shell.
  [[nodiscard]] base::Result<int> run() const;

 private:
  Arguments run_;
  std::string session_;
  std::string line_;
};

}  // namespace cli
