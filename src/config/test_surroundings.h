// Surroundings for configuration tests: files in a temporary directory, and private variables.

#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/test_temp_dir.h"
#include "config/load.h"

namespace config {

class TestSurroundings {
 public:
  [[nodiscard]] const std::filesystem::path& root() const { return root_.path(); }
  [[nodiscard]] std::filesystem::path home() const { return root_ / "home"; }
  [[nodiscard]] std::filesystem::path system_file() const { return root_ / "etc/config.toml"; }
  [[nodiscard]] std::filesystem::path env_file() const { return root_ / "etc/agent.env"; }
  [[nodiscard]] std::filesystem::path user_file() const {
    return home() / ".config/holdfast/config.toml";
  }

  std::filesystem::path write(const std::filesystem::path& path, const std::string& text) const {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }
  void set(const std::string& name, const std::string& value) { variables_[name] = value; }

  CommandLine line;

  [[nodiscard]] Surroundings surroundings() const {
    return {.environment = [variables = variables_](std::string_view name) -> std::string {
              const auto found = variables.find(std::string(name));
              return found == variables.end() ? "" : found->second;
            },
            .home = home(),
            .account_shell = "/bin/account-shell",
            .directory = root_ / "work",
            .system_file = system_file(),
            .env_file = env_file()};
  }
  [[nodiscard]] base::Result<Config> load() const { return config::load(line, surroundings()); }
  // The error's message; empty if there is none.
  [[nodiscard]] std::string error() const {
    const auto loaded = load();
    return loaded ? "" : loaded.error().message();
  }

 private:
  base::TempDir root_;
  std::map<std::string, std::string> variables_;
};

}  // namespace config
