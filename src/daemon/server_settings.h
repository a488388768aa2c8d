// What the configuration means to the parts of the daemon.

#pragma once

#include <optional>

#include "config/config.h"
#include "extension/extensions.h"
#include "http/server.h"
#include "session/sessions.h"

namespace holdfast {

// The least uid that an account of a user may have; none: terminals run as the daemon does.
[[nodiscard]] std::optional<uid_t> least_account(const config::Config& config);
[[nodiscard]] session::Settings session_settings(const config::Config& config);
[[nodiscard]] extension::Settings extension_settings(const config::Config& config);
[[nodiscard]] http::ServerSettings server_settings(const config::Config& config);
// Gives `config` what `fresh` has of the settings that can change at once, and says in the log what
// has changed and what waits for a restart.
void take_changes(config::Config& config, const config::Config& fresh);
// All but the listening address and the default user. Reads the keys of JSON Web Tokens.
[[nodiscard]] base::Result<http::GateSettings> gate_settings(const config::Config& config);

}  // namespace holdfast
