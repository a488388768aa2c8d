// holdfast: the one program that people run. This file turns the command line into a call.

#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/log.h"
#include "config/load.h"
#include "daemon/config_command.h"
#include "daemon/serve.h"
#include "daemon/token_command.h"

namespace holdfast {
namespace {

base::Status configure_and_serve(const config::CommandLine& line, terminal::Takeover takeover) {
  const auto load = [&line] { return config::load(line, config::process_surroundings()); };
  auto config = load();
  if (!config) return base::fail(config.error());
  base::set_log_level(config->log_level);
  return serve({.config = std::move(*config), .takeover = takeover, .reload = load});
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
  CLI11_PARSE(app, argc, argv);

  const auto outcome = [&] {
    if (show->parsed()) return print_config(line);
    if (token.was_given()) return token.run();
    return configure_and_serve(line, takeover ? terminal::Takeover::yes : terminal::Takeover::no);
  }();
  if (outcome) return 0;
  std::fprintf(stderr, "holdfast: %s\n", outcome.error().message().c_str());
  return 1;
}

}  // namespace
}  // namespace holdfast

int main(int argc, char** argv) {
  return holdfast::run(argc, argv);
}
