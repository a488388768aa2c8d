// The env file: NAME=VALUE lines, read as systemd reads an EnvironmentFile, so that one file can
// serve a unit and the daemon. Others write theirs into the same file, so what is not an
// assignment is passed over, as systemd does.
//
//   # a comment; or ; one
//   PLAIN=words, until the end of the line
//   QUOTED="a \"quoted\" text, which may go on
//   in the next line"            'and' "join"s with what follows
//   export ALSO='no \escapes in here'

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace config {

struct Assignment {
  std::string name;
  std::string value;
  int line = 0;
};

// The assignments in their order; a name may come twice. A quote that is not closed is an error.
[[nodiscard]] base::Result<std::vector<Assignment>> parse_env_file(
    std::string_view text, const std::filesystem::path& path);

}  // namespace config
