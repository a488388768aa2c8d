#include "daemon/environment.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/environment.h"

namespace holdfast {

std::string home_directory() {
  std::error_code error;
  if (const char* home = std::getenv("HOME");
      home != nullptr && std::filesystem::is_directory(home, error))
    return home;
  const passwd* account = ::getpwuid(::geteuid());
  return account != nullptr && std::filesystem::is_directory(account->pw_dir, error)
             ? account->pw_dir
             : "/";
}

std::vector<std::string> terminal_environment(const std::string& shell,
                                              const std::filesystem::path& runtime_dir) {
  std::vector<std::string> environment = base::clean_environment(environ);
  std::erase_if(environment, [](const std::string& entry) { return entry.starts_with("SHELL="); });
  environment.emplace_back("TERM=xterm-256color");
  environment.emplace_back("COLORTERM=truecolor");
  environment.push_back("SHELL=" + shell);
  environment.push_back("HOLDFAST_RUNTIME_DIR=" + std::filesystem::absolute(runtime_dir).native());
  return environment;
}

}  // namespace holdfast
