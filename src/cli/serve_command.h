// `holdfast serve`: runs the daemon, or checks with `--check` whether it could run.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"
#include "config/command_line.h"
#include "daemon/become.h"

namespace cli {

class ServeCommand {
 public:
  explicit ServeCommand(const Arguments& app);
  [[nodiscard]] bool was_given() const { return serve_.was_given(); }
  // `arguments` are this process's own, for its successor.
  [[nodiscard]] base::Status run(std::vector<std::string> arguments,
                                 holdfast::Inherited& inherited) const;

 private:
  Arguments serve_;
  config::CommandLine line_;
  bool takeover_ = false;
  bool check_ = false;
};

}  // namespace cli
