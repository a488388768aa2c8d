#include "cli/command.h"

#include <cstdlib>

namespace cli {

Command::Command(const Arguments& holdfast, const std::string& name, const std::string& meaning,
                 Where where)
    : command_(holdfast.add_subcommand(name, meaning)) {
  if (where == Where::anywhere) add_server_options(command_);
}

void Command::takes_target(std::string& target) {
  command_
      .add_option("terminal", target,
                  "The terminal: its id, SESSION:NAME, its name, the start of its id, or . for "
                  "the one that this runs in")
      .required();
  target_ = &target;
}

base::Result<int> Command::execute() {
  if (target_ != nullptr)
    if (auto known = resolve_target(*target_); !known) return base::fail(known.error());
  return run();
}

base::Result<int> exit_status(const base::Status& outcome) {
  if (!outcome) return base::fail(outcome.error());
  return 0;
}

base::Status resolve_target(std::string& target) {
  if (target != ".") return {};
  target = own_terminal();
  if (!target.empty()) return {};
  return base::fail(base::Code::invalid_argument, "this is not a terminal of Holdfast",
                    "`.` works inside of one, where HOLDFAST_TERMINAL is set. List terminals with: "
                    "holdfast ls");
}

std::string own_terminal() {
  const char* const id = std::getenv("HOLDFAST_TERMINAL");
  return id == nullptr ? "" : id;
}

}  // namespace cli
