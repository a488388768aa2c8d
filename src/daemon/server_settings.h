// Turns the configuration into settings for the parts of the daemon.

#pragma once

#include <optional>

#include "config/config.h"
#include "extension/extensions.h"
#include "http/server.h"
#include "session/sessions.h"

namespace holdfast {

// The lowest uid a user's account may have. None: terminals run as the daemon's own account.
[[nodiscard]] std::optional<uid_t> least_account(const config::Config& config);
[[nodiscard]] session::Settings session_settings(const config::Config& config);
[[nodiscard]] extension::Settings extension_settings(const config::Config& config);
[[nodiscard]] http::ServerSettings server_settings(const config::Config& config);
// Copies the settings that can change at once from `fresh` to `config`. Logs what changed and what
// needs a restart.
void take_changes(config::Config& config, const config::Config& fresh);
// Everything but the listening address and the default user. Reads the JWT key file.
[[nodiscard]] base::Result<http::GateSettings> gate_settings(const config::Config& config);

}  // namespace holdfast
