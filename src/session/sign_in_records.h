// The part of the store for sign-ins and for the codes of unused links. It keeps only hashes, so
// reading the file does not let anybody in.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "session/rows.h"
#include "session/sqlite.h"

namespace session {

class SignInRecords {
 public:
  // Per user; the oldest make room.
  static constexpr std::int64_t kMostSignIns = 100;
  static constexpr std::int64_t kMostCodes = 20;

  SignInRecords(Database& database, base::WallTime now) : database_(&database), now_(now) {}

  // Also removes expired ones. Ignores `created`, which is now.
  [[nodiscard]] base::Status add(const SignInRow& row);
  // An expired one is `not_found`.
  [[nodiscard]] base::Result<SignInRow> find(const TokenHash& hash);
  // Newest first. Without `user`, those of all users.
  [[nodiscard]] base::Result<std::vector<SignInRow>> list(const std::optional<UserId>& user = {});
  [[nodiscard]] base::Status remove(const TokenHash& hash);

  [[nodiscard]] base::Status add_code(const CodeRow& row);
  // Works once: the next call, in this process or another, gets `not_found`.
  [[nodiscard]] base::Result<CodeRow> take_code(const TokenHash& hash);

 private:
  Database* database_;
  base::WallTime now_;
};

}  // namespace session
