#include "daemon/accounts.h"

#include <unistd.h>

#include "keeper_protocol/runtime_dir.h"

namespace holdfast {

base::Status check_accounts(const config::Config& config) {
  if (!config.user_accounts || ::geteuid() == 0) return {};
  return base::fail(base::Code::permission_denied,
                    "user_accounts is on, but only root can run programs as other accounts",
                    "Run the daemon as root, or turn user_accounts off to run all terminals as "
                    "the daemon's own account.");
}

keeper::Limits terminal_limits(const config::Config& config) {
  const auto if_any = [](std::uint64_t limit) {
    return limit == 0 ? std::nullopt : std::optional(limit);
  };
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(config.terminal_cpu_time).count();
  return {
      .open_files = if_any(static_cast<std::uint64_t>(config.terminal_open_files)),
      .address_space = if_any(config.terminal_address_space),
      .account_processes = if_any(static_cast<std::uint64_t>(config.terminal_account_processes)),
      .cpu_seconds = if_any(static_cast<std::uint64_t>(seconds)),
      .core_size = config.terminal_core_dumps ? std::nullopt : std::optional<std::uint64_t>(0),
      .memory = if_any(config.terminal_memory),
      .processes = if_any(static_cast<std::uint64_t>(config.terminal_processes))};
}

base::Status open_to_accounts(const config::Config& config) {
  const auto dir = keeper::RuntimeDir::open(config.runtime_dir);
  if (!dir) return base::fail(dir.error());
  if (config.user_accounts)
    if (auto opened = dir->set_socket_mode("daemon.sock", 0666); !opened) return opened;
  return dir->set_mode(config.user_accounts ? 0711 : 0700);
}

}  // namespace holdfast
