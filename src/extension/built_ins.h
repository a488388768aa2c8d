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
// Whether extensions cannot take over this name: people need the command when an extension is
// broken.
[[nodiscard]] bool is_for_trouble(std::string_view command);
// All that can be typed in a session: these commands, and those of its extensions.
[[nodiscard]] std::vector<CommandInfo> all_commands(const Instances& instances);

}  // namespace extension
