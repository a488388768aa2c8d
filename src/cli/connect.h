// How commands reach the running daemon.

#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace cli {

// Connects to the configured daemon's Unix socket, after checking who owns it.
[[nodiscard]] base::Result<base::Fd> connect_to_daemon();

// Whether no keeper is running, and therefore no terminal.
[[nodiscard]] bool is_nothing_held();

}  // namespace cli
