// What the configuration means to the HTTP server.

#pragma once

#include "config/config.h"
#include "http/server.h"

namespace holdfast {

[[nodiscard]] http::ServerSettings server_settings(const config::Config& config);
// Gives `config` what `fresh` has of the settings that can change at once, and says in the log what
// has changed and what waits for a restart.
void take_changes(config::Config& config, const config::Config& fresh);
// All but the listening address and the default user. Reads the keys of JSON Web Tokens.
[[nodiscard]] base::Result<http::GateSettings> gate_settings(const config::Config& config);

}  // namespace holdfast
