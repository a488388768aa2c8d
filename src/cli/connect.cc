#include "cli/connect.h"

#include <sys/socket.h>

#include "config/load.h"
#include "keeper_protocol/runtime_dir.h"
#include "keeper_protocol/socket.h"

namespace cli {

base::Result<base::Fd> connect_to_daemon() {
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  auto socket = keeper::RuntimeDir::connect_in(config->runtime_dir, "daemon.sock", SOCK_STREAM);
  if (socket || socket.error().code != base::Code::unavailable) return socket;
  return base::fail(base::Code::unavailable,
                    "no daemon is running at " + (config->runtime_dir / "daemon.sock").native(),
                    "Start one with: holdfast serve");
}

bool is_nothing_held() {
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return false;
  const auto keeper = keeper::connect_to_keeper(config->runtime_dir);
  return !keeper && keeper.error().code == base::Code::unavailable;
}

}  // namespace cli
