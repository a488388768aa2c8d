// The commands' way to the daemon that runs.

#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace holdfast {

// A connection to the Unix socket of the daemon that the configuration names, after a look at whose
// it is.
[[nodiscard]] base::Result<base::Fd> connect_to_daemon();

}  // namespace holdfast
