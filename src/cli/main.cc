// holdfast: the program people run. This file parses the command line and runs the command.

#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/printable.h"
#include "base/process.h"
#include "base/version.h"
#include "cli/attach_command.h"
#include "cli/command.h"
#include "cli/config_command.h"
#include "cli/connect.h"
#include "cli/link_command.h"
#include "cli/overview.h"
#include "cli/run_command.h"
#include "cli/serve_command.h"
#include "cli/sign_ins_command.h"
#include "cli/stop_command.h"
#include "cli/token_command.h"
#include "cli/trust_command.h"
#include "cli/upgrade_command.h"
#include "daemon/become.h"

namespace cli {
namespace {

constexpr int kUsageError = 2;

// Errors can quote other programs (a daemon, a keeper, a failed trial), so escape them.
void say(const base::Error& error) {
  std::fprintf(stderr, "holdfast: %s\n",
               base::printable(error.message(), base::Lines::many).c_str());
}

std::vector<std::unique_ptr<Command>> all_commands(const Arguments& app) {
  std::vector<std::unique_ptr<Command>> all;
  for (const auto make : {make_ls_command,        make_new_command,         make_send_command,
                          make_lease_command,     make_capture_command,     make_wait_command,
                          make_exec_command,      make_commands_command,    make_search_command,
                          make_record_command,    make_play_command,        make_rename_command,
                          make_resize_command,    make_restore_command,     make_kill_command,
                          make_share_command,     make_sessions_command,    make_events_command,
                          make_status_command,    make_doctor_command,      make_logs_command,
                          make_resources_command, make_reload_command,      make_mcp_command,
                          make_env_command,       make_login_command,       make_logout_command,
                          make_skill_command,     make_completions_command, make_man_command,
                          make_help_command})
    all.push_back(make(app));
  return all;
}

int run(int argc, char** argv) {
  CLI::App parser("Holdfast: terminals that keep running when you disconnect.", "holdfast");
  parser.set_version_flag("--version", "holdfast " + std::string(base::version()));
  parser.require_subcommand(0, 1);
  const Arguments app(parser);

  const std::vector<std::string> arguments(argv, argv + argc);
  holdfast::Inherited inherited = holdfast::take_inherited();
  bool no_start = false;
  app.add_flag("--no-start", no_start, "Do not start a daemon if none runs");
  AttachCommand attach(app);
  const auto commands = all_commands(app);
  ServeCommand serve(app);
  ConfigCommand config(app);
  LinkCommand link(app);
  SignInsCommand sign_ins(app);
  TokenCommand token(app);
  TrustCommand trust(app);
  StopCommand stop(app);
  UpgradeCommand upgrade(app);
  RunCommand run_line(app);
  try {
    std::vector<std::string> line = arguments;
    attach.take_words(line);
    line.erase(line.begin());
    std::ranges::reverse(line);  // CLI11 takes them from the end.
    parser.parse(std::move(line));
  } catch (const CLI::ParseError& error) {
    if (inherited.previous && error.get_exit_code() != 0)
      (void)holdfast::go_back(
          std::move(inherited), arguments,
          {.code = base::Code::invalid_argument, .what = error.what(), .advice = ""});
    return parser.exit(error) == 0 ? 0 : kUsageError;
  }

  int code = 0;
  if (no_start) start_none();
  const auto outcome = [&]() -> base::Status {
    for (const auto& command : commands) {
      if (!command->was_given()) continue;
      const auto ran = command->execute();
      if (!ran) return base::fail(ran.error());
      code = *ran;
      return {};
    }
    if (attach.was_given() || run_line.was_given()) {
      const auto ran = attach.was_given() ? attach.run() : run_line.run();
      if (!ran) return base::fail(ran.error());
      code = *ran;
      return {};
    }
    if (config.was_given()) return config.run();
    if (link.was_given()) return link.run();
    if (sign_ins.was_given()) return sign_ins.run();
    if (token.was_given()) return token.run();
    if (trust.was_given()) return trust.run();
    if (stop.was_given()) return stop.run();
    if (upgrade.was_given()) return upgrade.run();
    if (!serve.was_given()) return show_overview();
    return serve.run(arguments, inherited);
  }();
  if (outcome) return code;
  say(outcome.error());
  if (inherited.previous) {
    const base::Error why = holdfast::go_back(std::move(inherited), arguments, outcome.error());
    say(why);
  }
  return 1;
}

}  // namespace
}  // namespace cli

int main(int argc, char** argv) {
  base::name_process("holdfast");
  return cli::run(argc, argv);
}
