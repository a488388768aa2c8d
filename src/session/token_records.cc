#include "session/token_records.h"

#include <string>

#include "session/row_values.h"
#include "session/token.h"

namespace session {
namespace {

constexpr std::string_view kSelectTokens =
    "SELECT tokens.hash, tokens.user, users.name, tokens.label, tokens.created, tokens.access, "
    "tokens.bounds, tokens.expires, tokens.last_used, tokens.last_address "
    "FROM tokens JOIN users ON users.id = tokens.user ";

// A daemon of an older version may still be running. It knows neither bounds nor expiry, and would
// grant this token everything. So the token is stored under a hash that only this version looks up.
base::Result<TokenHash> bounded_hash(const TokenHash& hash) {
  return hash_token({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

}  // namespace

base::Result<TokenHash> TokenRecords::add(const UserId& user, const TokenHash& hash,
                                          std::string_view label, const Scope& scope,
                                          std::optional<base::WallTime> expires) {
  base::Result<TokenHash> kept = hash;
  if (scope.bounds || expires) kept = bounded_hash(hash);
  if (!kept) return kept;
  const std::int64_t now = to_milliseconds(now_);
  const auto added = database_->transaction([&]() -> base::Status {
    if (auto pruned = database_->write("DELETE FROM tokens WHERE expires <= ?", {now}); !pruned)
      return pruned;
    return database_->write(
        "INSERT INTO tokens (hash, user, label, created, access, bounds, expires) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        {Bytes(*kept), user.str(), label, now, to_string(scope.access),
         bounds_to_json(scope.bounds), expires ? Value(to_milliseconds(*expires)) : Value()});
  });
  if (!added) return base::fail(added.error());
  return kept;
}

base::Result<TokenRow> TokenRecords::find(const TokenHash& hash) {
  const auto bounded = bounded_hash(hash);
  if (!bounded) return base::fail(bounded.error());
  return only(
      database_->rows(std::string(kSelectTokens)
                          .append("WHERE tokens.hash IN (?, ?) AND ifnull(expires > ?, TRUE)"),
                      {Bytes(hash), Bytes(*bounded), to_milliseconds(now_)}, read_token),
      "such token");
}

base::Status TokenRecords::note_use(const TokenHash& kept, std::string_view address) {
  return database_->write("UPDATE tokens SET last_used = ?, last_address = ? WHERE hash = ?",
                          {to_milliseconds(now_), address, Bytes(kept)});
}

base::Result<std::vector<TokenRow>> TokenRecords::list() {
  return database_->rows(
      std::string(kSelectTokens).append("ORDER BY users.name, tokens.created, tokens.hash"), {},
      read_token);
}

base::Status TokenRecords::remove(const TokenHash& kept) {
  return database_->transaction([&]() -> base::Status {
    for (const std::string_view sql :
         {"DELETE FROM tokens WHERE hash = ?", "DELETE FROM sign_ins WHERE token = ?",
          "DELETE FROM codes WHERE token = ?"})
      if (auto removed = database_->write(sql, {Bytes(kept)}); !removed) return removed;
    return {};
  });
}

}  // namespace session
