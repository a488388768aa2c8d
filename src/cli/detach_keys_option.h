// The option --detach-keys of commands that attach.

#pragma once

#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/detach_keys.h"

namespace cli {

class DetachKeysOption {
 public:
  void add_to(const Arguments& command);
  // Those that were given; else those of HOLDFAST_DETACH_KEYS; else C-\ alone.
  [[nodiscard]] base::Result<DetachKeys> chosen() const;

 private:
  std::string given_;
};

}  // namespace cli
