// `holdfast serve`: the daemon. (Its namespace is holdfast: `daemon` is a function of the C
// library.)

#pragma once

#include "base/result.h"
#include "config/config.h"
#include "terminal/keeper_client.h"

namespace holdfast {

struct ServeOptions {
  config::Config config;
  terminal::Takeover takeover = terminal::Takeover::no;
};

// Serves until SIGTERM, SIGINT or a takeover. The keeper and everything it holds go on.
[[nodiscard]] base::Status serve(const ServeOptions& options);

}  // namespace holdfast
