// holdfast: the one program that people run. This file turns the command line into a call.

#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/log.h"
#include "cli/run.h"
#include "config/load.h"
#include "daemon/config_command.h"
#include "daemon/serve.h"
#include "daemon/stop_command.h"
#include "daemon/token_command.h"
#include "daemon/trust_command.h"

namespace holdfast {
namespace {

base::Status configure_and_serve(const config::CommandLine& line, terminal::Takeover takeover) {
  const auto load = [&line] { return config::load(line, config::process_surroundings()); };
  auto config = load();
  if (!config) return base::fail(config.error());
  base::set_log_level(config->log_level);
  return serve({.config = std::move(*config), .takeover = takeover, .reload = load});
}

// The exit code of what was run.
base::Result<int> run_line(const std::string& session, const std::string& line) {
  auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  return cli::run(config->runtime_dir / "daemon.sock", session, line);
}

int run(int argc, char** argv) {
  CLI::App app("Holdfast: terminals that outlive whatever looks at them.", "holdfast");
  app.set_version_flag("--version", "holdfast " HOLDFAST_VERSION);
  app.require_subcommand(1);

  config::CommandLine line;
  bool takeover = false;
  auto* serve = app.add_subcommand("serve", "Run the daemon; starts the keeper if none runs");
  config::add_flags(*serve, line);
  serve->add_flag("--takeover", takeover, "Replace a daemon that serves already");
  auto* show = app.add_subcommand("config", "Print the settings and where each comes from");
  config::add_flags(*show, line);
  const TokenCommand token(app);
  const TrustCommand trust(app);
  const StopCommand stop(app);
  std::string session;
  std::string command;
  auto* run_command = app.add_subcommand(
      "run", "Run a command of a session's extensions, or ! and a shell command");
  run_command->add_option("session", session, "The session's name; the first one is main")
      ->required();
  run_command
      ->add_option("line", command, "'/command arguments', or '! shell command'; /help lists them")
      ->required();
  CLI11_PARSE(app, argc, argv);

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
    if (show->parsed()) return print_config(line);
    if (token.was_given()) return token.run();
    return configure_and_serve(line, takeover ? terminal::Takeover::yes : terminal::Takeover::no);
  }();
  if (outcome) return code;
  std::fprintf(stderr, "holdfast: %s\n", outcome.error().message().c_str());
  return 1;
}

}  // namespace
}  // namespace holdfast

int main(int argc, char** argv) {
  return holdfast::run(argc, argv);
}
