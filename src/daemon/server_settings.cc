#include "daemon/server_settings.h"

#include "base/log.h"
#include "config/setting.h"
#include "daemon/accounts.h"
#include "daemon/environment.h"

namespace holdfast {
namespace {

// Beside the program, as the extension runner: every account that can run a shell can read it
// there.
std::filesystem::path shell_scripts() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "shell";
}

}  // namespace

std::optional<uid_t> least_account(const config::Config& config) {
  if (!config.user_accounts) return std::nullopt;
  return static_cast<uid_t>(config.account_uid_minimum);
}

session::Settings session_settings(const config::Config& config) {
  return {.terminal = {.orphan_grace = config.orphan_grace_period,
                       .input_limit = config.input_limit,
                       .leases_yield = config.leases_yield},
          .output_buffer = config.output_buffer_size,
          .history = config.history_size,
          .shell = config.shell,
          .home = home_directory(),
          .environment = terminal_environment(config.shell, config.runtime_dir),
          .user_terminals = static_cast<std::size_t>(config.user_terminal_limit),
          .user_sessions = static_cast<std::size_t>(config.user_session_limit),
          .least_account = least_account(config),
          .limits = terminal_limits(config),
          .unsaved_file = config.runtime_dir / "unsaved.json",
          .history_dir = config.state_dir / "history",
          .save_history = config.save_history,
          .shell_integration = config.shell_integration,
          .shell_scripts = shell_scripts()};
}

extension::Settings extension_settings(const config::Config& config) {
  extension::Settings settings{
      .paths = {config.extensions.begin(), config.extensions.end()},
      .directory = config.extensions_dir,
      .runner = {.node = config.node,
                 .script = extension::runner_script(),
                 .socket = config.runtime_dir / "runner.sock",
                 .environment = terminal_environment(config.shell, config.runtime_dir),
                 .directory = home_directory()},
      .isolation = config.extension_isolation == config::Isolation::process
                       ? extension::Isolation::process
                       : extension::Isolation::thread,
      .memory = config.extension_memory,
      .stuck_after = config.extension_stuck_after,
      .user_commands = static_cast<std::size_t>(config.user_command_limit)};
  if (config.user_accounts)
    settings.off =
        "extensions are off with user_accounts: all users share one runner process, which would "
        "run their code as root";
  return settings;
}

http::ServerSettings server_settings(const config::Config& config) {
  return {.limits = {.message_size = config.message_size_limit,
                     .message_rate = config.message_rate_limit,
                     .message_burst = config.message_burst_limit,
                     .request_rate = config.request_rate_limit,
                     .user_connections = config.user_connection_limit,
                     .address_connections = config.address_connection_limit,
                     .waiting_connections = config.waiting_connection_limit,
                     .failed_sign_ins = config.failed_sign_in_limit,
                     .handshake_time = config.handshake_time_limit,
                     .viewers = config.viewer_limit,
                     .send = config.send_limit},
          .proxy = config.behind_proxy ? http::Proxy::trusted : http::Proxy::none,
          .ping_interval = config.ping_interval,
          .ping_timeout = config.ping_timeout,
          .files = {.is_on = config.files,
                    .has_accounts = config.user_accounts,
                    .largest = config.file_size_limit},
          .events_file = config.runtime_dir / "events.log"};
}

void take_changes(config::Config& config, const config::Config& fresh) {
  for (const config::Setting* setting : config::differences(config, fresh)) {
    if (setting->change == config::Change::restart) {
      base::log(base::Level::warning, "setting changed; restart the daemon to apply it",
                {{"setting", setting->key}});
      continue;
    }
    config::copy_value(*setting, fresh, config);
    base::log(base::Level::info, "setting changed",
              {{"setting", setting->key}, {"value", config::show(*setting, config)}});
  }
}

base::Result<http::GateSettings> gate_settings(const config::Config& config) {
  http::GateSettings settings;
  settings.allowed_hosts = config.allowed_hosts;
  settings.allowed_origins = config.allowed_origins;
  settings.default_token = config.token.value;
  settings.user_header = config.trusted_user_header;
  settings.proxy_secret = config.proxy_secret.value;
  settings.sign_in_lifetime = config.sign_in_lifetime;
  settings.vouched_lifetime = config.vouched_connection_lifetime;
  if (config.jwt_key_file.empty()) return settings;
  auto jwt = http::JwtVerifier::load({.key_file = config.jwt_key_file,
                                      .issuer = config.jwt_issuer,
                                      .audience = config.jwt_audience,
                                      .user_claim = config.jwt_user_claim});
  if (!jwt) return base::fail(jwt.error());
  settings.jwt = std::make_shared<const http::JwtVerifier>(std::move(*jwt));
  return settings;
}

}  // namespace holdfast
