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
    command()
        .add_option("shell", shell_, "bash, zsh or fish")
        .required()
        .check([](const std::string& shell) -> base::Status {
          if (completions({}, shell)) return {};
          return base::fail(base::Code::invalid_argument,
                            "there are no completions for \"" + shell + "\"",
                            "Use bash, zsh or fish.");
        });
    explain(command(), {"holdfast completions bash > /etc/bash_completion.d/holdfast"});
  }

  base::Result<int> run() override {
    std::fputs(completions(commands_of(holdfast_), shell_)->c_str(), stdout);
    return 0;
  }

 private:
  Arguments holdfast_;
  std::string shell_;
};

class ManCommand final : public Command {
 public:
  explicit ManCommand(const Arguments& holdfast)
      : Command(holdfast, "man", "Print the manual page of Holdfast, or of one command",
                Where::here),
        holdfast_(holdfast) {
    command().add_option("command", words_, "The command, such as: token new");
    command().add_flag("--markdown", markdown_, "As docs/cli.md has it");
    explain(command(), {"holdfast man | man -l -", "holdfast man attach | man -l -",
                        "holdfast man > /usr/local/share/man/man1/holdfast.1"});
    // Called when all commands have been declared.
    command().check([this]() -> base::Status {
      if (!selected().empty()) return {};
      return base::fail(base::Code::invalid_argument, "there is no command \"" + name() + "\"",
                        "List them with: holdfast help");
    });
  }

  base::Result<int> run() override {
    const auto commands = selected();
    if (markdown_)
      std::fputs(as_markdown(commands).c_str(), stdout);
    else
      std::fputs((words_.empty() ? as_man_page(commands) : as_man_page_of(commands)).c_str(),
                 stdout);
    return 0;
  }

 private:
  [[nodiscard]] std::string name() const {
    std::string all;
    for (const std::string& word : words_) (all += all.empty() ? "" : " ") += word;
    return all;
  }
  // The command, followed by its subcommands; or all.
  [[nodiscard]] std::vector<ManualCommand> selected() const {
    auto commands = commands_of(holdfast_);
    if (words_.empty()) return commands;
    std::erase_if(commands, [wanted = name()](const ManualCommand& each) {
      return each.name != wanted && !each.name.starts_with(wanted + " ");
    });
    return commands;
  }

  std::vector<std::string> words_;
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
