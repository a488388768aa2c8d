// What the configuration means to the HTTP server.

#pragma once

#include "config/config.h"
#include "http/server.h"

namespace holdfast {

[[nodiscard]] http::ServerSettings server_settings(const config::Config& config);
// All but the listening address and the default user. Reads the keys of JSON Web Tokens.
[[nodiscard]] base::Result<http::GateSettings> gate_settings(const config::Config& config);

}  // namespace holdfast
