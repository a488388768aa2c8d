#include "cli/token_command.h"

#include <cerrno>
#include <cstdio>

#include "base/printable.h"
#include "base/time_text.h"
#include "cli/open_store.h"
#include "config/load.h"
#include "session/random.h"
#include "session/row_values.h"
#include "session/store.h"

namespace cli {
namespace {

// Enough digits to be unique among any realistic number of tokens.
constexpr std::size_t kShownDigits = 12;
constexpr std::size_t kFewestDigits = 4;

base::Status print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return {};
  return base::fail(base::errno_error(errno, "write to standard output"));
}

// Prints only the new token to standard output. Creates the user if it does not exist.
base::Status token_new(const std::filesystem::path& state_dir, std::string_view user,
                       std::string_view label, session::Access access) {
  auto store = open_store(state_dir);
  if (!store) return base::fail(store.error());
  const auto token = session::new_token();
  if (!token) return base::fail(token.error());
  const auto hash = session::hash_token(*token);
  if (!hash) return base::fail(hash.error());
  const auto added = store->transaction([&]() -> base::Status {
    const auto owner = store->ensure_user(user);
    if (!owner) return base::fail(owner.error());
    return store->add_token(owner->id, *hash, label, access);
  });
  if (!added) return added;
  const auto printed = print(*token + "\n");
  if (printed) return {};
  // Nobody saw the token, so remove it.
  base::Error error = printed.error();
  if (auto removed = store->remove_token(*hash); !removed)
    error.advice =
        "Revoke it with: holdfast token revoke " + session::to_hex(*hash).substr(0, kShownDigits);
  return base::fail(error);
}

// Prints a line for each: first digits of the hash, creation time, user, access, label.
base::Status token_list(const std::filesystem::path& state_dir) {
  auto store = open_store(state_dir);
  if (!store) return base::fail(store.error());
  const auto tokens = store->tokens();
  if (!tokens) return base::fail(tokens.error());
  std::string text;
  for (const auto& token : *tokens)
    text += session::to_hex(token.hash).substr(0, kShownDigits) + "  " +
            base::utc_seconds(token.created) + "  " + base::printable(token.user_name) + "  " +
            std::string(session::to_string(token.access)) + "  " + base::printable(token.label) +
            "\n";
  return print(text);
}

// Revokes the one token whose hash starts with `hash_prefix`.
base::Status token_revoke(const std::filesystem::path& state_dir, std::string_view hash_prefix) {
  if (hash_prefix.size() < kFewestDigits)
    return base::fail(base::Code::invalid_argument, "give at least 4 digits of the hash",
                      "See `holdfast token list`.");
  auto store = open_store(state_dir);
  if (!store) return base::fail(store.error());
  auto tokens = store->tokens();
  if (!tokens) return base::fail(tokens.error());
  std::erase_if(*tokens, [&](const session::TokenRow& token) {
    return !session::to_hex(token.hash).starts_with(hash_prefix);
  });
  if (tokens->empty())
    return base::fail(base::Code::not_found,
                      "no token matches \"" + base::printable(hash_prefix) + "\"",
                      "See `holdfast token list`.");
  if (tokens->size() > 1)
    return base::fail(base::Code::invalid_argument,
                      "several tokens match \"" + base::printable(hash_prefix) + "\"",
                      "Give more digits.");
  return store->remove_token(tokens->front().hash);
}

}  // namespace

TokenCommand::TokenCommand(CLI::App& app)
    : token_(app.add_subcommand("token", "Create, list and revoke tokens")),
      new_(token_->add_subcommand("new", "Create a token and print it to standard output")),
      list_(token_->add_subcommand("list",
                                   "List tokens (hash, creation time, user, access, label)")) {
  token_->require_subcommand(1);
  token_->fallthrough();
  token_->add_option("--state-dir", state_dir_,
                     "Directory of the database; defaults to the configured one");
  new_->add_option("--user", user_, "User the token signs in; created if it does not exist")
      ->required();
  new_->add_option("--label", label_, "A note on what the token is for");
  new_->add_flag("--view", view_, "Create a view-only token");
  auto* revoke = token_->add_subcommand("revoke", "Revoke a token");
  revoke->add_option("hash", hash_, "The token's hash, or at least its first 4 digits")->required();
  for (auto* command : {new_, list_, revoke}) command->fallthrough();
}

base::Status TokenCommand::run() const {
  config::CommandLine line;
  if (!state_dir_.empty()) line.flags["state_dir"] = state_dir_;
  const auto config = config::load(line, config::process_surroundings());
  if (!config) return base::fail(config.error());
  if (new_->parsed())
    return token_new(config->state_dir, user_, label_,
                     view_ ? session::Access::view : session::Access::control);
  if (list_->parsed()) return token_list(config->state_dir);
  return token_revoke(config->state_dir, hash_);
}

}  // namespace cli
