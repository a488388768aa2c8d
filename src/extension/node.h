// The Node that the setting `node` leads to: which file it is, and whether extensions can run on
// it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace extension {

inline constexpr std::string_view kNodeAdvice =
    "Install Node 22.19 or newer and type /reload; or name another one in the setting `node` "
    "(--node, HOLDFAST_NODE) and restart the daemon.";

struct Node {
  std::string version;
  std::string path;  // Without links.
};

// What to run for a Node to say which it is.
[[nodiscard]] std::vector<std::string> ask_node(const std::string& program);
// What it has said. `unsupported` if it is too old, or no Node.
[[nodiscard]] base::Result<Node> read_node(const std::string& program, std::string_view said);

}  // namespace extension
