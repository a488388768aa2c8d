// `holdfast run SESSION LINE`: the command bar from a shell. It speaks the native protocol over the
// daemon's Unix socket.

#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace cli {

// `daemon` is a connection to its Unix socket. Prints output as it arrives and asks questions on
// the terminal, if there is one. Returns the exit code for the shell.
[[nodiscard]] base::Result<int> run(base::Fd daemon, const std::string& session,
                                    const std::string& line);

}  // namespace cli
