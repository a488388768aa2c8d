// The Node that the `node` setting points to: which file it is, and whether extensions can run on
// it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace extension {

inline constexpr std::string_view kNodeAdvice =
    "Install Node 22.19 or newer and type /reload. Or set another one with `node` (--node, "
    "HOLDFAST_NODE) and restart the daemon.";

struct Node {
  std::string version;
  std::string path;  // With symbolic links resolved.
};

// The command that makes a Node print its version and path.
[[nodiscard]] std::vector<std::string> node_version_command(const std::string& program);
// Parses its output. `unsupported` if it is too old, or not Node.
[[nodiscard]] base::Result<Node> parse_node(const std::string& program, std::string_view said);

}  // namespace extension
