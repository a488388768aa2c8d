// What can be configured about sessions and their terminals. The parts of Sessions share one; a
// value that changes counts from then on.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keeper_protocol/confinement.h"
#include "terminal/terminal.h"

namespace session {

// Links, and the daemon's own account, sign in as this user.
inline constexpr std::string_view kDefaultUser = "default";
inline constexpr std::string_view kDefaultSession = "main";

struct Settings {
  terminal::TerminalSettings terminal;
  std::uint64_t output_buffer = 256 * 1024;  // PTY_OUTPUT_BUFFER_SIZE
  std::uint64_t history = 256 * 1024;
  std::string shell = "/bin/sh";
  std::string home = "/";                // Default directory of terminals.
  std::vector<std::string> environment;  // Of every terminal, as NAME=value.
  std::size_t exited_kept = 100;         // Per user.
  std::size_t user_terminals = 1000;     // Running terminals per user.
  std::size_t user_sessions = 1000;      // Per user.
  // If set, a user's programs run as the account with the user's name. Its uid must not be lower.
  std::optional<uid_t> least_account;
  keeper::Limits limits;               // Of each terminal.
  std::filesystem::path unsaved_file;  // Keeps rows that the store refuses.
  std::filesystem::path history_dir;
  bool save_history = true;
  bool shell_integration = false;
  std::filesystem::path shell_scripts;  // Of the integration.
  std::size_t restorable_kept = 100;    // Per user.
};

}  // namespace session
