#include "cli/serve_command.h"

#include <cstdio>

#include "base/log.h"
#include "cli/command.h"
#include "config/load.h"
#include "daemon/check.h"
#include "daemon/serve.h"

namespace cli {

ServeCommand::ServeCommand(const Arguments& app)
    : serve_(app.add_subcommand("serve", "Run the daemon; start the keeper if it is not running")) {
  config::add_flags(serve_.app(), line_);
  serve_.add_flag("--takeover", takeover_, "Replace the running daemon");
  serve_.add_flag("--check", check_, "Check that the daemon could start; change nothing");
  explain(serve_, {"holdfast serve", "holdfast serve --listen 127.0.0.1:7420"});
}

base::Status ServeCommand::run(std::vector<std::string> arguments,
                               holdfast::Inherited& inherited) const {
  const auto load = [this] { return config::load(line_, config::process_surroundings()); };
  auto config = load();
  if (!config) return base::fail(config.error());
  base::set_log_level(config->log_level);
  if (check_) {
    std::printf("%s\n", config->listen.str().c_str());  // Read by the daemon it will replace.
    return holdfast::check(*config);
  }
  return holdfast::serve({.config = std::move(*config),
                          .takeover = takeover_ ? keeper::Takeover::yes : keeper::Takeover::no,
                          .reload = load,
                          .arguments = std::move(arguments)},
                         inherited);
}

}  // namespace cli
