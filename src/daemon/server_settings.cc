#include "daemon/server_settings.h"

#include "base/log.h"
#include "config/setting.h"

namespace holdfast {

http::ServerSettings server_settings(const config::Config& config) {
  return {.limits = {.message_size = config.message_size_limit,
                     .message_rate = config.message_rate_limit,
                     .message_burst = config.message_burst_limit,
                     .request_rate = config.request_rate_limit,
                     .user_connections = config.user_connection_limit,
                     .address_connections = config.address_connection_limit,
                     .failed_sign_ins = config.failed_sign_in_limit,
                     .handshake_time = config.handshake_time_limit,
                     .viewers = config.viewer_limit,
                     .send = config.send_limit},
          .proxy = config.behind_proxy ? http::Proxy::trusted : http::Proxy::none,
          .ping_interval = config.ping_interval,
          .ping_timeout = config.ping_timeout};
}

void take_changes(config::Config& config, const config::Config& fresh) {
  for (const config::Setting* setting : config::differences(config, fresh)) {
    if (setting->change == config::Change::restart) {
      base::log(base::Level::warning, "a setting has changed that needs a restart",
                {{"setting", setting->key}});
      continue;
    }
    config::copy_value(*setting, fresh, config);
    base::log(base::Level::info, "a setting has changed",
              {{"setting", setting->key}, {"value", config::show(*setting, config)}});
  }
}

base::Result<http::GateSettings> gate_settings(const config::Config& config) {
  http::GateSettings settings{.listening = {},
                              .allowed_hosts = config.allowed_hosts,
                              .allowed_origins = config.allowed_origins,
                              .default_token = config.token.value,
                              .default_user = {},
                              .user_header = config.trusted_user_header,
                              .proxy_secret = config.proxy_secret.value};
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
