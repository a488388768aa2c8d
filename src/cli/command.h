// A command of `holdfast`: its flags, its help, and what it does.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace cli {

class Command {
 public:
  Command(CLI::App& holdfast, const std::string& name, const std::string& meaning)
      : command_(holdfast.add_subcommand(name, meaning)) {}
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  [[nodiscard]] bool was_given() const { return command_->parsed(); }
  // Returns the exit status.
  [[nodiscard]] virtual base::Result<int> run() = 0;

 protected:
  CLI::App& command() { return *command_; }
  // Adds the argument that names a terminal.
  void takes_target(std::string& target) {
    command_
        ->add_option("terminal", target,
                     "The terminal: its id, SESSION:NAME, its name, or the start of its id")
        ->required();
  }

 private:
  CLI::App* command_;
};

// The commands about terminals and sessions, each in a file of its name.
[[nodiscard]] std::unique_ptr<Command> make_capture_command(CLI::App& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_kill_command(CLI::App& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_ls_command(CLI::App& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_new_command(CLI::App& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_rename_command(CLI::App& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_resize_command(CLI::App& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_restore_command(CLI::App& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_send_command(CLI::App& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_sessions_command(CLI::App& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_wait_command(CLI::App& holdfast);

}  // namespace cli
