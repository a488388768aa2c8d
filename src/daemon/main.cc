// holdfast: the one program that people run. This file turns the command line into a call.

#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include "daemon/serve.h"
#include "daemon/token_command.h"
#include "keeper/runtime_dir.h"

int main(int argc, char** argv) {
  CLI::App app("Holdfast: terminals that outlive whatever looks at them.", "holdfast");
  app.set_version_flag("--version", "holdfast " HOLDFAST_VERSION);
  app.require_subcommand(1);

  holdfast::ServeOptions options{.runtime_dir = keeper::default_runtime_dir()};
  bool takeover = false;
  auto* serve = app.add_subcommand("serve", "Run the daemon; starts the keeper if none runs");
  serve->add_option("--runtime-dir", options.runtime_dir, "Where the keeper's socket is")
      ->capture_default_str();
  serve->add_flag("--takeover", takeover, "Replace a daemon that serves already");
  const holdfast::TokenCommand token(app);
  CLI11_PARSE(app, argc, argv);

  options.runtime_dir = std::filesystem::absolute(options.runtime_dir);
  options.takeover = takeover ? terminal::Takeover::yes : terminal::Takeover::no;
  const auto outcome = token.was_given() ? token.run() : holdfast::serve(options);
  if (!outcome) {
    std::fprintf(stderr, "holdfast: %s\n", outcome.error().message().c_str());
    return 1;
  }
  return 0;
}
