// How commands reach the running daemon.

#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace cli {

// Connects to the configured daemon's Unix socket, after checking who owns it; or to the --server.
[[nodiscard]] base::Result<base::Fd> connect_to_daemon();

// The same, but starts a daemon in the background if none runs on this machine. `start_none`
// forbids that.
[[nodiscard]] base::Result<base::Fd> connect_or_start();
void start_none();
// Starts a daemon if none runs and that is not forbidden. Does not wait for it.
void start_if_none();

// Whether no keeper is running, and therefore no terminal.
[[nodiscard]] bool is_nothing_held();

}  // namespace cli
