// `holdfast token`: creates, lists and revokes tokens. It works on the store, not through a daemon.
// A running daemon notices the change by itself.

#include <cerrno>
#include <cstdio>

#include <boost/json.hpp>

#include "base/printable.h"
#include "base/time_text.h"
#include "cli/command.h"
#include "cli/lifetime.h"
#include "cli/open_store.h"
#include "cli/table.h"
#include "cli/token_scope.h"
#include "config/load.h"
#include "session/random.h"
#include "session/row_values.h"
#include "session/settings.h"
#include "session/store.h"

namespace cli {
namespace {

namespace json = boost::json;

// Enough digits to be unique among any realistic number of tokens.
constexpr std::size_t kShownDigits = 12;
constexpr std::size_t kFewestDigits = 4;

base::Status print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return {};
  return base::fail(base::errno_error(errno, "write to standard output"));
}

struct NewToken {
  std::string user;
  std::string label;
  session::Access access = session::Access::control;
  WantedBounds bounds;
  std::optional<base::WallTime> expires;
};

// Prints only the new token to standard output. Creates the user if it does not exist.
base::Status token_new(const std::filesystem::path& state_dir, const NewToken& wanted) {
  auto store = open_store(state_dir);
  if (!store) return base::fail(store.error());
  const auto token = session::new_token();
  if (!token) return base::fail(token.error());
  const auto hash = session::hash_token(*token);
  if (!hash) return base::fail(hash.error());
  session::TokenHash kept{};
  const auto added = store->transaction([&]() -> base::Status {
    const auto owner = store->ensure_user(wanted.user);
    if (!owner) return base::fail(owner.error());
    const auto bounds = find_bounds(*store, owner->id, wanted.bounds);
    if (!bounds) return base::fail(bounds.error());
    const auto made =
        store->tokens().add(owner->id, *hash, wanted.label,
                            {.access = wanted.access, .bounds = *bounds}, wanted.expires);
    if (!made) return base::fail(made.error());
    kept = *made;
    return {};
  });
  if (!added) return added;
  const auto printed = print(*token + "\n");
  if (printed) return {};
  // Nobody saw the token, so remove it.
  base::Error error = printed.error();
  if (auto removed = store->tokens().remove(kept); !removed)
    error.advice =
        "Revoke it with: holdfast token revoke " + session::to_hex(kept).substr(0, kShownDigits);
  return base::fail(error);
}

// A token as it is listed: everything but the secret.
struct Listed {
  std::string id;  // The first digits of the hash.
  std::vector<std::string> sessions;
  std::vector<std::string> terminals;
  bool has_expired = false;
  session::TokenRow row;
};

base::Result<std::vector<Listed>> list_tokens(session::Store& store) {
  auto tokens = store.tokens().list();
  if (!tokens) return base::fail(tokens.error());
  std::vector<Listed> all;
  for (session::TokenRow& row : *tokens) {
    Listed listed{.id = session::to_hex(row.hash).substr(0, kShownDigits),
                  .sessions = {},
                  .terminals = {},
                  .has_expired = row.expires && *row.expires <= base::system_clock().wall(),
                  .row = std::move(row)};
    if (const auto& bounds = listed.row.scope.bounds) {
      auto sessions = session_names(store, listed.row.user, *bounds);
      if (!sessions) return base::fail(sessions.error());
      listed.sessions = *std::move(sessions);
      for (const auto& id : bounds->terminals) listed.terminals.push_back(id.str());
    }
    all.push_back(std::move(listed));
  }
  return all;
}

std::string bounds_in_words(const Listed& token) {
  if (!token.row.scope.bounds) return "everything";
  std::string words;
  for (const std::string& name : token.sessions) words += (words.empty() ? "" : " ") + name + ":";
  for (const std::string& id : token.terminals) words += (words.empty() ? "" : " ") + id;
  return words.empty() ? "nothing" : words;
}

std::string expiry_in_words(const Listed& token) {
  if (!token.row.expires) return "never";
  return token.has_expired ? "expired" : base::utc_seconds(*token.row.expires);
}

std::string use_in_words(const session::TokenRow& row) {
  if (!row.last_used) return "never";
  return base::utc_seconds(*row.last_used) +
         (row.last_address.empty() ? "" : " from " + row.last_address);
}

json::object as_json(const Listed& token) {
  json::object object{{"id", token.id},
                      {"name", base::printable(token.row.label)},
                      {"user", token.row.user_name},
                      {"access", session::to_string(token.row.scope.access)},
                      {"created", base::utc_milliseconds(token.row.created)}};
  if (token.row.scope.bounds) {
    object["sessions"] = json::value_from(token.sessions);
    object["terminals"] = json::value_from(token.terminals);
  }
  if (token.row.expires) object["expires"] = base::utc_milliseconds(*token.row.expires);
  if (token.row.last_used) {
    object["lastUsed"] = base::utc_milliseconds(*token.row.last_used);
    object["lastAddress"] = token.row.last_address;
  }
  return object;
}

base::Status token_list(const std::filesystem::path& state_dir, bool as_json_text) {
  auto store = open_store(state_dir);
  if (!store) return base::fail(store.error());
  const auto tokens = list_tokens(*store);
  if (!tokens) return base::fail(tokens.error());
  if (as_json_text) {
    json::array list;
    for (const Listed& token : *tokens) list.push_back(as_json(token));
    return print(json::serialize(json::object{{"tokens", std::move(list)}}) + "\n");
  }
  std::vector<Row> rows;
  for (const Listed& token : *tokens)
    rows.push_back({token.id, base::utc_seconds(token.row.created), token.row.user_name,
                    std::string(session::to_string(token.row.scope.access)), bounds_in_words(token),
                    expiry_in_words(token), use_in_words(token.row), token.row.label});
  print_table({"ID", "CREATED", "USER", "ACCESS", "SCOPE", "EXPIRES", "LAST USE", "NAME"}, rows);
  return {};
}

// Revokes the one token whose hash starts with `hash_prefix`.
base::Status token_revoke(const std::filesystem::path& state_dir, std::string_view hash_prefix) {
  if (hash_prefix.size() < kFewestDigits)
    return base::fail(base::Code::invalid_argument, "give at least 4 digits of the hash",
                      "See `holdfast token ls`.");
  auto store = open_store(state_dir);
  if (!store) return base::fail(store.error());
  auto tokens = store->tokens().list();
  if (!tokens) return base::fail(tokens.error());
  std::erase_if(*tokens, [&](const session::TokenRow& token) {
    return !session::to_hex(token.hash).starts_with(hash_prefix);
  });
  if (tokens->empty())
    return base::fail(base::Code::not_found,
                      "no token matches \"" + base::printable(hash_prefix) + "\"",
                      "See `holdfast token ls`.");
  if (tokens->size() > 1)
    return base::fail(base::Code::invalid_argument,
                      "several tokens match \"" + base::printable(hash_prefix) + "\"",
                      "Give more digits.");
  return store->tokens().remove(tokens->front().hash);
}

class TokenCommand final : public Command {
 public:
  explicit TokenCommand(const Arguments& holdfast);
  base::Result<int> run() override;

 private:
  Arguments new_;
  Arguments list_;
  std::string state_dir_;  // Empty: as configured.
  std::string user_{session::kDefaultUser};
  std::string label_;
  std::string expires_;
  std::vector<std::string> sessions_;
  std::vector<std::string> terminals_;
  std::string hash_;
  bool view_ = false;
  bool json_ = false;
};

}  // namespace

TokenCommand::TokenCommand(const Arguments& holdfast)
    : Command(holdfast, "token", "Create, list and revoke tokens", Where::here),
      new_(command().add_subcommand("new", "Create a token and print it to standard output")),
      list_(command().add_subcommand("ls", "List tokens with their scope and last use")) {
  command().require_subcommand();
  command().fallthrough();
  command().add_option("--state-dir", state_dir_,
                       "Directory of the database; defaults to the configured one");
  new_.add_option("--user", user_,
                  "User the token signs in; created if it does not exist. By default yours");
  new_.add_option("--name,--label", label_, "A note on what the token is for");
  new_.add_flag("--view", view_, "Create a view-only token");
  new_.add_option("--session", sessions_, "Only for this session; may be given several times");
  new_.add_option("--terminal", terminals_, "Only for this terminal; may be given several times");
  new_.add_option("--expires", expires_, "How long it is valid, such as 1h or 720h");
  list_.alias("list");
  list_.add_flag("--json", json_, "Print JSON");
  const Arguments revoke = command().add_subcommand("revoke", "Revoke a token");
  revoke.add_option("hash", hash_, "The token's hash, or at least its first 4 digits").required();
  for (const Arguments& command : {new_, list_, revoke}) command.fallthrough();
  explain(command(),
          {"holdfast token new --user ada", "holdfast token ls", "holdfast token revoke 3f2a"});
}

base::Result<int> TokenCommand::run() {
  config::CommandLine line;
  if (!state_dir_.empty()) line.flags["state_dir"] = state_dir_;
  const auto config = config::load(line, config::process_surroundings());
  if (!config) return base::fail(config.error());
  if (list_.was_given()) return exit_status(token_list(config->state_dir, json_));
  if (!new_.was_given()) return exit_status(token_revoke(config->state_dir, hash_));
  NewToken wanted{.user = user_,
                  .label = label_,
                  .access = view_ ? session::Access::view : session::Access::control,
                  .bounds = {.sessions = sessions_, .terminals = terminals_},
                  .expires = {}};
  if (!expires_.empty()) {
    const auto lifetime = read_lifetime(expires_);
    if (!lifetime) return base::fail(lifetime.error());
    wanted.expires = base::system_clock().wall() + *lifetime;
  }
  return exit_status(token_new(config->state_dir, wanted));
}

std::unique_ptr<Command> make_token_command(const Arguments& holdfast) {
  return std::make_unique<TokenCommand>(holdfast);
}

}  // namespace cli
