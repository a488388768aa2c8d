// Tokens of other daemons that `holdfast login` has saved: a file for each, which only its owner can
// read, below $XDG_CONFIG_HOME/holdfast/servers.

#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "cli/server.h"

namespace cli {

struct ServerProfile {
  std::string token;
  std::filesystem::path ca;  // Empty: whom the system trusts.
};

// `not_found` if there is none.
[[nodiscard]] base::Result<ServerProfile> load_profile(const ServerAddress& address);
[[nodiscard]] base::Status save_profile(const ServerAddress& address, const ServerProfile& profile);
// False if there was none.
[[nodiscard]] base::Result<bool> remove_profile(const ServerAddress& address);

// The first line of a file, or of standard input. `what` says in an error what it is for.
[[nodiscard]] base::Result<std::string> read_token_file(const std::filesystem::path& path);

}  // namespace cli
