#include <cstdio>

#include "cli/command.h"

namespace cli {
namespace {

class HelpCommand final : public Command {
 public:
  explicit HelpCommand(const Arguments& holdfast)
      : Command(holdfast, "help", "Explain a command, with examples", Where::here),
        holdfast_(holdfast) {
    command().add_option("command", words_, "The command; by default, all are listed");
    explain(command(), {"holdfast help attach", "holdfast help token new"});
  }

  base::Result<int> run() override {
    const auto help = holdfast_.help(words_);
    if (!help)
      return base::fail(base::Code::not_found, "there is no command \"" + words_.back() + "\"",
                        "List them with: holdfast help");
    std::fputs(help->c_str(), stdout);
    return 0;
  }

 private:
  Arguments holdfast_;
  std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<Command> make_help_command(const Arguments& holdfast) {
  return std::make_unique<HelpCommand>(holdfast);
}

}  // namespace cli
