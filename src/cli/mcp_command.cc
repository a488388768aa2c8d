#include <unistd.h>

#include <iostream>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/mcp_bridge.h"

namespace cli {
namespace {

class McpCommand final : public Command {
 public:
  explicit McpCommand(const Arguments& holdfast)
      : Command(holdfast, "mcp",
                "Serve the Model Context Protocol over standard input and output") {
    command().add_option("-s,--session", session_,
                         "Offer the tools of this session's extensions. By default: main");
    explain(command(), {"holdfast mcp"},
            "For programs that start the servers that their model uses. Others can use /mcp at the "
            "daemon's address: see docs/mcp.md.");
  }

  base::Result<int> run() override {
    std::string target = "/mcp";
    if (!session_.empty()) target += "?session=" + base::encode_percents(session_);
    // Says at once what is wrong, if nothing can be reached.
    if (auto there = connect_or_start(); !there) return base::fail(there.error());
    McpBridge bridge(target, STDOUT_FILENO);
    for (std::string line; std::getline(std::cin, line);)
      if (!line.empty()) bridge.take(line);
    return 0;
  }

 private:
  std::string session_;
};

}  // namespace

std::unique_ptr<Command> make_mcp_command(const Arguments& holdfast) {
  return std::make_unique<McpCommand>(holdfast);
}

}  // namespace cli
