#include "daemon/check.h"

#include "daemon/server_settings.h"
#include "http/tls.h"
#include "keeper_client/ask.h"
#include "session/store.h"
#include "session/store_path.h"

namespace holdfast {

base::Status check_files(const config::Config& config) {
  if (const auto gate = gate_settings(config); !gate) return base::fail(gate.error());
  if (config.tls_certificate.empty()) return {};
  const auto tls = http::Tls::load({.certificate = config.tls_certificate, .key = config.tls_key});
  if (!tls) return base::fail(tls.error());
  return {};
}

base::Status check(const config::Config& config) {
  if (auto usable = check_files(config); !usable) return usable;
  if (auto known =
          session::Store::check(session::store_path(config.state_dir), std::chrono::seconds(5));
      !known)
    return known;
  // Having no keeper is fine: the daemon starts one.
  if (const auto keeper = keeper::ask_holding(config.runtime_dir);
      !keeper && keeper.error().code != base::Code::unavailable)
    return base::fail(keeper.error());
  return {};
}

}  // namespace holdfast
