// The working directory of a terminal's program: from OSC 7 or else from the kernel.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace terminal {

// The path in a file: URI for this machine. Empty for anything else.
[[nodiscard]] std::string path_of_file_uri(std::string_view uri);

// Empty if unknown. `pid` 0 means that there is no process. With `account`, ignores a process of
// another account: the pid may have been reused.
[[nodiscard]] std::string working_directory_of(std::string_view uri, pid_t pid,
                                               std::optional<uid_t> account = {});

}  // namespace terminal
