#include <cstdio>

#include "cli/command.h"
#include "cli/manual.h"

namespace cli {
namespace {

class CompletionsCommand final : public Command {
 public:
  explicit CompletionsCommand(const Arguments& holdfast)
      : Command(holdfast, "completions", "Print what makes a shell complete this command line",
                Where::here),
        holdfast_(holdfast) {
    command().add_option("shell", shell_, "bash, zsh or fish").required();
    explain(command(), {"holdfast completions bash > /etc/bash_completion.d/holdfast"});
  }

  base::Result<int> run() override {
    const auto text = completions(commands_of(holdfast_), shell_);
    if (!text)
      return base::fail(base::Code::invalid_argument,
                        "there are no completions for \"" + shell_ + "\"",
                        "Use bash, zsh or fish.");
    std::fputs(text->c_str(), stdout);
    return 0;
  }

 private:
  Arguments holdfast_;
  std::string shell_;
};

class ManCommand final : public Command {
 public:
  explicit ManCommand(const Arguments& holdfast)
      : Command(holdfast, "man", "Print the manual page", Where::here), holdfast_(holdfast) {
    command().add_flag("--markdown", markdown_, "As docs/cli.md has it");
    explain(command(),
            {"holdfast man | man -l -", "holdfast man > /usr/local/share/man/man1/holdfast.1"});
  }

  base::Result<int> run() override {
    const auto commands = commands_of(holdfast_);
    std::fputs((markdown_ ? as_markdown(commands) : as_man_page(commands)).c_str(), stdout);
    return 0;
  }

 private:
  Arguments holdfast_;
  bool markdown_ = false;
};

}  // namespace

std::unique_ptr<Command> make_completions_command(const Arguments& holdfast) {
  return std::make_unique<CompletionsCommand>(holdfast);
}

std::unique_ptr<Command> make_man_command(const Arguments& holdfast) {
  return std::make_unique<ManCommand>(holdfast);
}

}  // namespace cli
