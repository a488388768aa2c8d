// A command of `holdfast`: its flags, its help, and what it does.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/explain.h"
#include "cli/server.h"

namespace cli {

class Command {
 public:
  // Whether it also works with a daemon elsewhere (--server).
  enum class Where { anywhere, here };

  Command(const Arguments& holdfast, const std::string& name, const std::string& meaning,
          Where where = Where::anywhere);
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  [[nodiscard]] bool was_given() const { return command_.was_given(); }
  // Takes from the command line what CLI11 must not see. Called before it is read.
  virtual void take_words(std::vector<std::string>& /*arguments*/) {}
  // Finds out which terminal is meant, and runs. Returns the exit status.
  [[nodiscard]] base::Result<int> execute();
  // Returns the exit status.
  [[nodiscard]] virtual base::Result<int> run() = 0;

 protected:
  const Arguments& command() { return command_; }
  // Adds the argument that names a terminal.
  void takes_target(std::string& target);

 private:
  Arguments command_;
  std::string* target_ = nullptr;
};

// That of a command which either works or fails.
[[nodiscard]] base::Result<int> exit_status(const base::Status& outcome);

// A target of `.` is the terminal that this process runs in. Puts its id in place of that.
[[nodiscard]] base::Status resolve_target(std::string& target);
// The id of the terminal that this process runs in; empty if it runs in none.
[[nodiscard]] std::string own_terminal();

// Commands, each in a file of its name.
[[nodiscard]] std::unique_ptr<Command> make_attach_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_capture_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_commands_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_completions_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_config_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_doctor_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_env_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_events_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_exec_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_extension_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_help_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_kill_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_lease_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_link_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_login_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_logout_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_logs_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_ls_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_man_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_mcp_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_new_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_notify_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_play_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_record_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_reload_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_rename_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_resize_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_resources_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_restore_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_run_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_search_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_send_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_sessions_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_share_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_sign_ins_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_skill_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_status_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_stop_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_token_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_trust_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_upgrade_command(const Arguments& holdfast);
[[nodiscard]] std::unique_ptr<Command> make_wait_command(const Arguments& holdfast);

}  // namespace cli
