// Where a terminal's program is: as it said itself (OSC 7), or else as the kernel knows it.

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace terminal {

// The path of a file: URI of this machine; empty if it is something else.
[[nodiscard]] std::string path_of_file_uri(std::string_view uri);

// Empty if it is not known. `pid` 0: no process to ask for. With an account, a process of another's
// is not asked: the number may mean another process by now.
[[nodiscard]] std::string working_directory_of(std::string_view uri, pid_t pid,
                                               std::optional<uid_t> account = {});

}  // namespace terminal
