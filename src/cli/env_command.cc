#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/printable.h"
#include "cli/attached_environment.h"
#include "cli/command.h"
#include "config/load.h"

namespace cli {
namespace {

base::Result<keeper::RuntimeDir> own_dir() {
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  return keeper::RuntimeDir::make(config->runtime_dir);
}

class EnvCommand final : public Command {
 public:
  explicit EnvCommand(const Arguments& holdfast)
      : Command(holdfast, "env", "Print the variables of whoever attached last, for a shell",
                Where::here) {
    const Argument sh = command().add_flag("--sh", sh_, "For sh, bash and zsh");
    command().add_flag("--fish", fish_, "For fish; the default if SHELL is fish").excludes(sh);
    explain(
        command(), {"eval \"$(holdfast env)\"", "holdfast env --fish | source"},
        "A shell that has been running for long still uses the ssh agent and the display of the "
        "login that started it. This sets SSH_AUTH_SOCK, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY "
        "and XAUTHORITY "
        "to those of the last `holdfast attach` on this machine, and unsets those it did not "
        "have.");
  }

  base::Result<int> run() override {
    const auto config = config::load({}, config::process_surroundings());
    if (!config) return base::fail(config.error());
    const auto dir = keeper::RuntimeDir::open(config->runtime_dir);
    if (!dir) return base::fail(dir.error());
    const auto variables = kept_environment(*dir);
    if (!variables) return base::fail(variables.error());
    std::fputs((is_fish() ? for_fish : for_sh)(*variables).c_str(), stdout);
    return 0;
  }

 private:
  [[nodiscard]] bool is_fish() const {
    const char* const shell = std::getenv("SHELL");
    return fish_ || (!sh_ && shell != nullptr && std::filesystem::path(shell).filename() == "fish");
  }

  bool sh_ = false;
  bool fish_ = false;
};

}  // namespace

// A shell without the newest agent is no reason not to attach.
void keep_own_environment() {
  if (is_elsewhere()) return;
  const auto dir = own_dir();
  if (!dir && dir.error().code == base::Code::permission_denied) return;
  const auto kept = dir ? keep_environment(*dir, base::process_environment())
                        : base::Status(base::fail(dir.error()));
  if (!kept)
    std::fprintf(stderr, "holdfast: cannot update what `holdfast env` prints: %s\n",
                 base::printable(kept.error().message()).c_str());
}

Variables attached_environment() {
  if (is_elsewhere()) return {};
  const auto dir = own_dir();
  if (!dir) return {};
  return kept_environment(*dir).value_or(Variables());
}

std::unique_ptr<Command> make_env_command(const Arguments& holdfast) {
  return std::make_unique<EnvCommand>(holdfast);
}

}  // namespace cli
