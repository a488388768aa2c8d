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
    // Called when all commands have been declared.
    command().check([this]() -> base::Status {
      if (holdfast_.help(words_)) return {};
      return base::fail(base::Code::invalid_argument,
                        "there is no command \"" + words_.back() + "\"",
                        "List them with: holdfast help");
    });
    explain(command(), {"holdfast help attach", "holdfast help token new"});
  }

  base::Result<int> run() override {
    std::fputs(holdfast_.help(words_)->c_str(), stdout);
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
