// Puts our shell integration into shells as they start: bash, zsh and fish then mark prompts and
// commands in their output. docs/shell.md has the marks, and what the scripts do.
//
// It only changes the environment, so a terminal's command stays what its user chose.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace session {

// Who must be able to read the scripts: the daemon's own account, or others too.
enum class Readers { own, all };

// Whether it can be put into this shell. Not, if its arguments make it something else than a plain
// interactive shell, or if it could not read the scripts.
[[nodiscard]] bool is_integrated_shell(const std::filesystem::path& scripts, Readers readers,
                                       const std::vector<std::string>& command);
// Adds to `environment` (NAME=value) what makes such a shell read its script below `scripts`.
void integrate_shell(const std::filesystem::path& scripts, const std::vector<std::string>& command,
                     std::vector<std::string>& environment);

}  // namespace session
