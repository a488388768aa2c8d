// holdfast: the program people run. This file parses the command line and runs the command.

#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/log.h"
#include "base/printable.h"
#include "base/process.h"
#include "base/version.h"
#include "cli/run.h"
#include "config/load.h"
#include "daemon/check.h"
#include "daemon/config_command.h"
#include "daemon/connect.h"
#include "daemon/serve.h"
#include "daemon/sign_in_commands.h"
#include "daemon/stop_command.h"
#include "daemon/token_command.h"
#include "daemon/trust_command.h"
#include "daemon/upgrade_command.h"

namespace holdfast {
namespace {

struct ServeFlags {
  config::CommandLine line;
  bool takeover = false;
  bool check = false;
};

base::Status configure_and_serve(const ServeFlags& flags, std::vector<std::string> arguments,
                                 Inherited& inherited) {
  const auto load = [&flags] { return config::load(flags.line, config::process_surroundings()); };
  auto config = load();
  if (!config) return base::fail(config.error());
  base::set_log_level(config->log_level);
  if (flags.check) {
    std::printf("%s\n", config->listen.str().c_str());  // Read by the daemon it will replace.
    return check(*config);
  }
  return serve({.config = std::move(*config),
                .takeover = flags.takeover ? terminal::Takeover::yes : terminal::Takeover::no,
                .reload = load,
                .arguments = std::move(arguments)},
               inherited);
}

// Returns the exit code of the command.
base::Result<int> run_line(const std::string& session, const std::string& line) {
  auto socket = connect_to_daemon();
  if (!socket) return base::fail(socket.error());
  return cli::run(std::move(*socket), session, line);
}

// Errors can quote other programs (a daemon, a keeper, a failed trial), so escape them.
void say(const base::Error& error) {
  std::fprintf(stderr, "holdfast: %s\n",
               base::printable(error.message(), base::Lines::many).c_str());
}

int run(int argc, char** argv) {
  CLI::App app("Holdfast: terminals that keep running when you disconnect.", "holdfast");
  app.set_version_flag("--version", "holdfast " + std::string(base::version()));
  app.require_subcommand(1);

  const std::vector<std::string> arguments(argv, argv + argc);
  Inherited inherited = take_inherited();
  ServeFlags flags;
  auto* serve =
      app.add_subcommand("serve", "Run the daemon; start the keeper if it is not running");
  config::add_flags(*serve, flags.line);
  serve->add_flag("--takeover", flags.takeover, "Replace the running daemon");
  serve->add_flag("--check", flags.check, "Check that the daemon could start; change nothing");
  auto* show = app.add_subcommand("config", "Print the settings and where each comes from");
  config::add_flags(*show, flags.line);
  const LinkCommand link(app);
  const SignInsCommand sign_ins(app);
  const TokenCommand token(app);
  const TrustCommand trust(app);
  const StopCommand stop(app);
  const UpgradeCommand upgrade(app);
  std::string session;
  std::string command;
  auto* run_command =
      app.add_subcommand("run", "Run an extension command or a shell command in a session");
  run_command->add_option("session", session, "Name of the session; the default session is main")
      ->required();
  run_command
      ->add_option("line", command,
                   "'/command arguments' or '! shell command'; /help lists the commands")
      ->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (inherited.previous && error.get_exit_code() != 0)
      (void)go_back(std::move(inherited), arguments,
                    {.code = base::Code::invalid_argument, .what = error.what(), .advice = ""});
    return app.exit(error);
  }

  int code = 0;
  const auto outcome = [&]() -> base::Status {
    if (run_command->parsed()) {
      const auto ran = run_line(session, command);
      if (!ran) return base::fail(ran.error());
      code = *ran;
      return {};
    }
    if (trust.was_given()) return trust.run();
    if (stop.was_given()) return stop.run();
    if (upgrade.was_given()) return upgrade.run();
    if (show->parsed()) return print_config(flags.line);
    if (link.was_given()) return link.run();
    if (sign_ins.was_given()) return sign_ins.run();
    if (token.was_given()) return token.run();
    return configure_and_serve(flags, arguments, inherited);
  }();
  if (outcome) return code;
  say(outcome.error());
  if (inherited.previous) {
    const base::Error why = go_back(std::move(inherited), arguments, outcome.error());
    say(why);
  }
  return 1;
}

}  // namespace
}  // namespace holdfast

int main(int argc, char** argv) {
  base::name_process("holdfast");
  return holdfast::run(argc, argv);
}
