#include "extension/node.h"

#include <regex>
#include <tuple>

#include "base/utf8.h"

namespace extension {

namespace {

// The same as in runner/package.json.
constexpr std::pair kLeast{22, 19};

constexpr std::size_t kShown = 200;

}  // namespace

std::vector<std::string> node_version_command(const std::string& program) {
  return {program, "-p", "`\n${process.versions.node} ${process.execPath}`"};
}

base::Result<Node> parse_node(const std::string& program, std::string_view said) {
  // Other lines may be warnings.
  static const std::regex kAnswer(R"((?:^|\n)(\d{1,6})\.(\d{1,6})(\.\S*) (/[^\n]*)\n?$)");
  std::match_results<std::string_view::const_iterator> found;
  if (!std::regex_search(said.begin(), said.end(), found, kAnswer))
    return base::fail(base::Code::unsupported,
                      "extensions are off: " + program +
                          " is not Node; it printed: " + std::string(base::cut_utf8(said, kShown)),
                      std::string(kNodeAdvice));
  Node node{.version = found.str(1) + "." + found.str(2) + found.str(3), .path = found.str(4)};
  if (std::pair(std::stoi(found.str(1)), std::stoi(found.str(2))) < kLeast)
    return base::fail(
        base::Code::unsupported,
        "extensions are off: Node " + node.version + " (" + node.path + ") is too old",
        std::string(kNodeAdvice));
  return node;
}

}  // namespace extension
