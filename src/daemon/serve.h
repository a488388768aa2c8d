// `holdfast serve`: the daemon. (Its namespace is holdfast: `daemon` is a function of the C
// library.)

#pragma once

#include <csignal>
#include <functional>

#include "base/result.h"
#include "config/config.h"
#include "terminal/keeper_client.h"

namespace holdfast {

struct ServeOptions {
  config::Config config;
  terminal::Takeover takeover = terminal::Takeover::no;
  std::function<base::Result<config::Config>()> reload;  // Reads the configuration again.
};

// Ends everything: the daemon, what extensions hold, the keeper and its terminals.
inline constexpr int kQuitSignal = SIGUSR1;

// Serves until SIGTERM, SIGINT or a takeover; SIGHUP reads the configuration again. The keeper and
// everything it holds go on.
[[nodiscard]] base::Status serve(const ServeOptions& options);

}  // namespace holdfast
