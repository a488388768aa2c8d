#include "cli/serve_command.h"

#include <cstdio>

#include "base/log.h"
#include "config/load.h"
#include "daemon/check.h"
#include "daemon/serve.h"

namespace cli {
namespace {

class ServeCommand final : public Command {
 public:
  ServeCommand(const Arguments& holdfast, std::vector<std::string> arguments,
               holdfast::Inherited& inherited);
  base::Result<int> run() override;

 private:
  std::vector<std::string> arguments_;
  holdfast::Inherited& inherited_;
  config::CommandLine line_;
  bool takeover_ = false;
  bool check_ = false;
};

}  // namespace

ServeCommand::ServeCommand(const Arguments& holdfast, std::vector<std::string> arguments,
                           holdfast::Inherited& inherited)
    : Command(holdfast, "serve", "Run the daemon; start the keeper if it is not running",
              Where::here),
      arguments_(std::move(arguments)),
      inherited_(inherited) {
  config::add_flags(command().app(), line_);
  command().add_flag("--takeover", takeover_, "Replace the running daemon");
  command().add_flag("--check", check_, "Check that the daemon could start; change nothing");
  explain(command(), {"holdfast serve", "holdfast serve --listen 127.0.0.1:7420"});
}

base::Result<int> ServeCommand::run() {
  const auto load = [this] { return config::load(line_, config::process_surroundings()); };
  auto config = load();
  if (!config) return base::fail(config.error());
  base::set_log_level(config->log_level);
  if (check_) {
    std::printf("%s\n", config->listen.str().c_str());  // Read by the daemon it will replace.
    return exit_status(holdfast::check(*config));
  }
  return exit_status(
      holdfast::serve({.config = std::move(*config),
                       .takeover = takeover_ ? keeper::Takeover::yes : keeper::Takeover::no,
                       .reload = load,
                       .arguments = arguments_},
                      inherited_));
}

std::unique_ptr<Command> make_serve_command(const Arguments& holdfast,
                                            std::vector<std::string> arguments,
                                            holdfast::Inherited& inherited) {
  return std::make_unique<ServeCommand>(holdfast, std::move(arguments), inherited);
}

}  // namespace cli
