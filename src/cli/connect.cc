#include "cli/connect.h"

#include <sys/socket.h>

#include "config/load.h"
#include "keeper_protocol/runtime_dir.h"

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

}  // namespace cli
