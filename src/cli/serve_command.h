// `holdfast serve`: runs the daemon, or checks with `--check` whether it could run.

#pragma once

#include "cli/command.h"
#include "daemon/become.h"

namespace cli {

// `arguments` are this process's own, for its successor.
[[nodiscard]] std::unique_ptr<Command> make_serve_command(const Arguments& holdfast,
                                                          std::vector<std::string> arguments,
                                                          holdfast::Inherited& inherited);

}  // namespace cli
