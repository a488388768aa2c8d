// Asks before something is done that cannot be undone.

#pragma once

#include <unistd.h>

#include <iostream>
#include <string>

#include "base/result.h"

namespace cli {

// Fails unless the person at the terminal says yes. `what` is a sentence without its full stop.
[[nodiscard]] inline base::Status confirm(const std::string& what) {
  if (::isatty(STDIN_FILENO) != 1)
    return base::fail(base::Code::invalid_argument, what, "Use --yes to confirm.");
  std::cerr << what << ". Continue? [y/N] ";
  std::string answer;
  std::getline(std::cin, answer);
  if (answer == "y" || answer == "Y" || answer == "yes") return {};
  return base::fail(base::Code::cancelled, "cancelled; nothing was stopped");
}

}  // namespace cli
