// A `holdfast` that passes its trial and then cannot serve: it goes back to the program that the
// process was before. Its `upgrade` is the real one.

#include <cstdio>
#include <string_view>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "daemon/become.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  if (arguments.back() == "--check") return 0;
  CLI::App app;
  const auto upgrade = cli::make_upgrade_command(cli::Arguments{app});
  if (argc == 2 && arguments.back() == "upgrade") {
    app.parse(argc, argv);
    const auto outcome = upgrade->run();
    if (!outcome) std::fprintf(stderr, "holdfast: %s\n", outcome.error().message().c_str());
    return outcome ? 0 : 1;
  }
  const auto why = holdfast::go_back(
      holdfast::take_inherited(), arguments,
      {.code = base::Code::io, .what = "the moon is full", .advice = "Wait for a new one."});
  std::fprintf(stderr, "%s\n", why.message().c_str());
  return 1;
}
