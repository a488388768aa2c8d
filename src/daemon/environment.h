// The environment of programs in terminals.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace holdfast {

[[nodiscard]] std::string home_directory();

// This process's environment without variables that belong to the daemon (secrets among them) or to
// another terminal, and with what leads commands of `holdfast` to this daemon.
[[nodiscard]] std::vector<std::string> terminal_environment(
    const std::string& shell, const std::filesystem::path& runtime_dir);

}  // namespace holdfast
