// The part of the store for preferences: what a user's pages keep, for the user or for one of the
// user's sessions.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "session/rows.h"
#include "session/sqlite.h"

namespace session {

struct PreferenceOwner {
  UserId user;
  std::optional<SessionId> session;  // One of the user's.
};

class PreferenceRecords {
 public:
  // For each owner.
  static constexpr std::int64_t kMost = 100;
  static constexpr std::int64_t kMostBytes = 1 << 20;

  PreferenceRecords(Database& database, base::WallTime now) : database_(&database), now_(now) {}

  // Sorted by name. Leaves out values that are not JSON.
  [[nodiscard]] base::Result<std::vector<PreferenceRow>> list(const PreferenceOwner& owner);
  // Without a value, removes it. Returns what is kept then. With `expected`, the kept revision must
  // be that one, 0 if there is none: otherwise it fails with `mismatch`. Beyond the limits it fails
  // with `too_large`. The store does not parse the value.
  [[nodiscard]] base::Result<PreferenceRow> set(const PreferenceOwner& owner, std::string_view name,
                                                std::optional<std::string_view> value,
                                                std::optional<std::int64_t> expected = {});

 private:
  [[nodiscard]] base::Status check_limits(const PreferenceOwner& owner);

  Database* database_;
  base::WallTime now_;
};

}  // namespace session
