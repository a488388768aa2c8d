#include "daemon/server_settings.h"

namespace holdfast {

http::ServerSettings server_settings(const config::Config& config) {
  return {.limits = {.message_size = config.message_size_limit,
                     .message_rate = config.message_rate_limit,
                     .message_burst = config.message_burst_limit,
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
