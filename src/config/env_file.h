// The env file: NAME=VALUE lines, parsed like a systemd EnvironmentFile, so that a unit and the
// daemon can share one file. Other programs may use the same file, so lines that are not
// assignments are ignored, as in systemd.
//
//   # a comment; this ; works too
//   PLAIN=words, until the end of the line
//   QUOTED="a \"quoted\" text, which may continue
//   on the next line"            'and' "join"s with what follows
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

// The assignments in order; a name may come twice. An unclosed quote is an error.
[[nodiscard]] base::Result<std::vector<Assignment>> parse_env_file(
    std::string_view text, const std::filesystem::path& path);

}  // namespace config
