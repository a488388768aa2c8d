// `holdfast token`: creates, lists and revokes tokens. It works on the store, not through a daemon.
// A running daemon notices the change by itself.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "session/store.h"

namespace holdfast {

[[nodiscard]] std::filesystem::path store_path(const std::filesystem::path& state_dir);

// Opens the store for a command, which can wait longer than a daemon. A command must not set aside
// a damaged file, because a daemon may be using it.
[[nodiscard]] base::Result<session::Store> open_store(const std::filesystem::path& state_dir);

// Prints only the new token to standard output. Creates the user if it does not exist.
[[nodiscard]] base::Status token_new(const std::filesystem::path& state_dir, std::string_view user,
                                     std::string_view label, session::Access access);
// Prints a line for each: first digits of the hash, creation time, user, access, label.
[[nodiscard]] base::Status token_list(const std::filesystem::path& state_dir);
// Revokes the one token whose hash starts with `hash_prefix`.
[[nodiscard]] base::Status token_revoke(const std::filesystem::path& state_dir,
                                        std::string_view hash_prefix);

// The command line of `holdfast token`.
class TokenCommand {
 public:
  explicit TokenCommand(CLI::App& app);
  [[nodiscard]] bool was_given() const { return token_->parsed(); }
  [[nodiscard]] base::Status run() const;

 private:
  CLI::App* token_;
  CLI::App* new_;
  CLI::App* list_;
  std::string state_dir_;  // Empty: as configured.
  std::string user_;
  std::string label_;
  std::string hash_;
  bool view_ = false;
};

}  // namespace holdfast
