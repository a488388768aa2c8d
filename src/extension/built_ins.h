// The commands of the command bar that are part of the daemon.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "extension/instances.h"

namespace extension {

struct BuiltIn {
  std::string_view name;
  std::string_view use;
  std::string_view meaning;
};

inline constexpr std::string_view kOwnName = "holdfast";  // The extension name of these commands.

[[nodiscard]] std::span<const BuiltIn> built_ins();
// All that can be typed in a session: these commands, and those of its extensions.
[[nodiscard]] std::vector<CommandInfo> all_commands(const Instances& instances);

}  // namespace extension
