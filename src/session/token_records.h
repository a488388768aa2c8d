// The part of the store for tokens. It keeps only hashes, so reading the file does not let anybody
// in.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "session/rows.h"
#include "session/sqlite.h"

namespace session {

class TokenRecords {
 public:
  TokenRecords(Database& database, base::WallTime now) : database_(&database), now_(now) {}

  // Returns the hash that the token is kept under, by which it is known from then on. Also removes
  // expired ones.
  [[nodiscard]] base::Result<TokenHash> add(const UserId& user, const TokenHash& hash,
                                            std::string_view label, const Scope& scope = {},
                                            std::optional<base::WallTime> expires = {});
  // By the token's hash, or by the one that it is kept under. An expired one is `not_found`.
  [[nodiscard]] base::Result<TokenRow> find(const TokenHash& hash);
  // Also those that have expired.
  [[nodiscard]] base::Result<std::vector<TokenRow>> list();
  // It was used just now.
  [[nodiscard]] base::Status note_use(const TokenHash& kept, std::string_view address);
  // Also removes the sign-ins that were made with it, and links to it.
  [[nodiscard]] base::Status remove(const TokenHash& kept);

 private:
  Database* database_;
  base::WallTime now_;
};

}  // namespace session
