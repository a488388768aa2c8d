// `holdfast token`: makes, lists and revokes the tokens that let people in. Works on the store, not
// on a daemon; one that runs sees the change at its next look.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "session/store.h"

namespace holdfast {

[[nodiscard]] std::filesystem::path store_path(const std::filesystem::path& state_dir);

// For a command: it can be patient, and a file that a daemon may be using is not its to set aside.
[[nodiscard]] base::Result<session::Store> open_store(const std::filesystem::path& state_dir);

// Prints the new token, alone, on standard output. The user is made if there is none of that name.
[[nodiscard]] base::Status token_new(const std::filesystem::path& state_dir, std::string_view user,
                                     std::string_view label, session::Access access);
// One line for each: the beginning of its hash, when it was made, its user, what it allows, its
// label.
[[nodiscard]] base::Status token_list(const std::filesystem::path& state_dir);
// Revokes the one token whose hash, as the list shows it, begins so.
[[nodiscard]] base::Status token_revoke(const std::filesystem::path& state_dir,
                                        std::string_view hash_prefix);

// The command line of these.
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
