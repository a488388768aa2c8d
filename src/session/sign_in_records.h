// The part of the store that knows which browsers have signed in, and which links may still sign
// one in. It keeps hashes only, so whoever reads the file can act for nobody.

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
  // Of one user; the oldest make room.
  static constexpr std::int64_t kMostSignIns = 100;
  static constexpr std::int64_t kMostCodes = 20;

  SignInRecords(Database& database, base::WallTime now) : database_(&database), now_(now) {}

  // Forgets what has expired, too. `created` is the store's to give.
  [[nodiscard]] base::Status add(const SignInRow& row);
  // `not_found` also if it has expired.
  [[nodiscard]] base::Result<SignInRow> find(const TokenHash& hash);
  // Newest first; of every user unless told.
  [[nodiscard]] base::Result<std::vector<SignInRow>> list(const std::optional<UserId>& user = {});
  [[nodiscard]] base::Status remove(const TokenHash& hash);

  [[nodiscard]] base::Status add_code(const CodeRow& row);
  // Gives it out once: whoever asks next, in this process or another, gets `not_found`.
  [[nodiscard]] base::Result<CodeRow> take_code(const TokenHash& hash);

 private:
  [[nodiscard]] base::Status write(std::string_view sql, std::initializer_list<Value> values);

  Database* database_;
  base::WallTime now_;
};

}  // namespace session
