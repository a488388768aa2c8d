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

}  // namespace holdfast
