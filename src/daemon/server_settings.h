// What the configuration means to the HTTP server.

#pragma once

#include "config/config.h"
#include "http/server.h"

namespace holdfast {

[[nodiscard]] http::ServerSettings server_settings(const config::Config& config);

}  // namespace holdfast
