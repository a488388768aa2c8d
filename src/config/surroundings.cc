#include <pwd.h>
#include <unistd.h>

#include <array>

#include "config/setting.h"

namespace config {

Surroundings process_surroundings() {
  Surroundings around{.environment = base::process_environment(),
                      .home = {},
                      .account_shell = {},
                      .directory = {},
                      .system_file = "/etc/holdfast/config.toml",
                      .env_file = "/etc/workspace/agent.env"};
  const std::filesystem::path home = around.environment("HOME");
  if (home.is_absolute()) around.home = home;
  std::error_code error;
  around.directory = std::filesystem::current_path(error);

  passwd account{};
  passwd* found = nullptr;
  std::array<char, 16 * 1024> texts{};
  if (::getpwuid_r(::geteuid(), &account, texts.data(), texts.size(), &found) == 0 &&
      found != nullptr) {
    around.account_shell = account.pw_shell;
    if (around.home.empty()) around.home = account.pw_dir;
  }
  return around;
}

}  // namespace config
