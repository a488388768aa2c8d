// `holdfast serve`: the daemon. (Its namespace is holdfast: `daemon` is a function of the C
// library.)

#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "daemon/become.h"
#include "keeper_client/client.h"

namespace holdfast {

struct ServeOptions {
  config::Config config;
  keeper::Takeover takeover = keeper::Takeover::no;
  std::function<base::Result<config::Config>()> reload;  // Reads the configuration again.
  std::vector<std::string> arguments;                    // This process's own, for its successor.
};

// Ends everything: the daemon, what extensions hold, the keeper and its terminals.
inline constexpr int kQuitSignal = SIGUSR1;

// Serves until SIGTERM, SIGINT or a takeover. SIGHUP reloads the configuration. The keeper and
// everything it holds keep running. An upgrade replaces this program. Once the daemon serves, it
// drops the previous program in `inherited` and answers the upgrade command.
[[nodiscard]] base::Status serve(const ServeOptions& options, Inherited& inherited);

}  // namespace holdfast
