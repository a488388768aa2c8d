// `holdfast run SESSION LINE`: a line of the command bar, typed into a shell. It speaks the native
// protocol over the daemon's Unix socket.

#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace cli {

// `daemon` is a connection to its Unix socket. Prints what comes of the line as it comes; questions
// are asked on the terminal, if there is one. The exit code for the shell.
[[nodiscard]] base::Result<int> run(base::Fd daemon, const std::string& session,
                                    const std::string& line);

}  // namespace cli
