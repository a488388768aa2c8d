#include "cli/connect.h"

#include <sys/socket.h>

#include "cli/start_daemon.h"
#include "config/load.h"
#include "keeper_protocol/runtime_dir.h"

namespace cli {
namespace {

bool may_start = true;

}  // namespace

base::Result<base::Fd> connect_to_daemon() {
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  auto socket = keeper::RuntimeDir::connect_in(config->runtime_dir, "daemon.sock", SOCK_STREAM);
  if (socket || socket.error().code != base::Code::unavailable) return socket;
  return base::fail(base::Code::unavailable,
                    "no daemon is running at " + (config->runtime_dir / "daemon.sock").native(),
                    "Start one with: holdfast serve");
}

void start_none() {
  may_start = false;
}

base::Result<base::Fd> connect_or_start() {
  auto socket = connect_to_daemon();
  if (socket || socket.error().code != base::Code::unavailable || !may_start) return socket;
  if (auto started = start_daemon(); !started) return base::fail(started.error());
  return connect_to_daemon();
}

}  // namespace cli
