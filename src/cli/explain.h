// The last part of a command's help.

#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"

namespace cli {

// What is shown after the options in a command's help: what else there is to say, such as exit
// statuses, and examples. Each command has at least one.
void explain(const Arguments& command, const std::vector<std::string>& examples,
             const std::string& more = "");

}  // namespace cli
