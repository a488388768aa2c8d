// `holdfast serve`: the daemon. (Its namespace is holdfast: `daemon` is a function of the C
// library.)

#pragma once

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

// Serves until SIGTERM, SIGINT or a takeover; SIGHUP reads the configuration again. The keeper and
// everything it holds go on.
[[nodiscard]] base::Status serve(const ServeOptions& options);

}  // namespace holdfast
