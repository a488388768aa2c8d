#include "cli/connect.h"

#include <sys/socket.h>

#include "cli/server.h"
#include "cli/start_daemon.h"
#include "config/load.h"
#include "keeper_client/ask.h"
#include "keeper_protocol/runtime_dir.h"
#include "keeper_protocol/socket.h"

namespace cli {
namespace {

bool may_start = true;

base::Error none_running(const config::Config& config) {
  return {.code = base::Code::unavailable,
          .what = "no daemon is running at " + (config.runtime_dir / "daemon.sock").native(),
          .advice = "Start one with: holdfast serve"};
}

// The keeper keeps the listening socket of a daemon that has died, so a connection alone does not
// tell whether one runs.
base::Result<bool> is_running(const config::Config& config) {
  auto running = keeper::ask_whether_owned(config.runtime_dir);
  if (!running && running.error().code == base::Code::unavailable) return false;
  return running;
}

base::Result<base::Fd> connect_here(const config::Config& config) {
  auto socket = keeper::RuntimeDir::connect_in(config.runtime_dir, "daemon.sock", SOCK_STREAM);
  if (socket || socket.error().code != base::Code::unavailable) return socket;
  return base::fail(none_running(config));
}

}  // namespace

base::Result<base::Fd> connect_to_daemon() {
  const auto server = given_server();
  if (!server) return base::fail(server.error());
  if (*server) return connect_to(**server);
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  return connect_here(*config);
}

void start_none() {
  may_start = false;
}

base::Result<base::Fd> connect_or_start() {
  if (is_elsewhere()) return connect_to_daemon();
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  const auto running = is_running(*config);
  // Another account's daemon may let this one in, but its keeper tells nothing.
  if (!running && running.error().code == base::Code::permission_denied)
    return connect_here(*config);
  if (!running) return base::fail(running.error());
  if (!*running) {
    if (!may_start) return base::fail(none_running(*config));
    if (auto started = start_daemon(*config); !started) return base::fail(started.error());
  }
  return connect_here(*config);
}

void start_if_none() {
  if (is_elsewhere()) return;
  const auto config = config::load({}, config::process_surroundings());
  if (!config || !may_start) return;
  const auto running = is_running(*config);
  if (running && !*running)
    (void)launch_daemon(*config);  // Whoever waits for it says that it is not there.
}

bool is_nothing_held() {
  if (is_elsewhere()) return false;
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return false;
  const auto keeper = keeper::connect_to_keeper(config->runtime_dir);
  return !keeper && keeper.error().code == base::Code::unavailable;
}

}  // namespace cli
