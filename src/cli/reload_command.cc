#include "cli/command.h"
#include "cli/run_command.h"

namespace cli {
namespace {

class ReloadCommand final : public Command {
 public:
  explicit ReloadCommand(const Arguments& holdfast)
      : Command(holdfast, "reload", "Load a session's extensions again") {
    command().add_option("session", session_, "The session; main by default");
    explain(command(), {"holdfast reload", "holdfast reload work"},
            "What they hold stays, if their new code asks for it. It is the same as: holdfast run "
            "SESSION /reload");
  }

  base::Result<int> run() override { return run_line(session_, "/reload"); }

 private:
  std::string session_ = "main";
};

}  // namespace

std::unique_ptr<Command> make_reload_command(const Arguments& holdfast) {
  return std::make_unique<ReloadCommand>(holdfast);
}

}  // namespace cli
