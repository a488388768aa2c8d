#include "cli/overview.h"

#include <cstdio>

#include "base/version.h"
#include "cli/running.h"
#include "config/load.h"

namespace cli {
namespace {

std::string in_words(const Running& running) {
  const std::string terminals = count_of(running.terminals, "terminal");
  if (!running.keeper) return "Nothing is running yet.";
  if (!running.daemon) return "No daemon is running; " + terminals + " held for the next one.";
  return terminals + ", " + count_of(running.viewers, "viewer") + ".";
}

}  // namespace

base::Status show_overview() {
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  const auto running = what_runs(*config);
  if (!running) return base::fail(running.error());
  std::printf(
      "Holdfast %s: %s\n\n"
      "  holdfast attach -c NAME   work in a terminal that outlives this one; Ctrl-\\ d detaches\n"
      "  holdfast ls               list terminals\n"
      "  holdfast new -- COMMAND   run something in a new terminal\n"
      "  holdfast link             open them in a browser\n"
      "  holdfast status           what runs; `holdfast doctor` finds what is wrong\n"
      "  holdfast help             all commands; `holdfast help COMMAND` explains one\n",
      std::string(base::version()).c_str(), in_words(*running).c_str());
  return {};
}

}  // namespace cli
