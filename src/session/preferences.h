// The preferences of all users. Watchers learn of changes.
//
// Invariants
// 1. A change that succeeded is in the store.
// 2. Each call to a locked store blocks the loop for a moment. So after one, changes are refused
//    for a second without asking the store. The caller keeps the value and tries again.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "session/store.h"
#include "session/watcher.h"

namespace session {

class Preferences {
 public:
  Preferences(Store& store, const Watchers& watchers,
              const base::Clock& clock = base::system_clock())
      : store_(store), watchers_(watchers), clock_(clock) {}

  [[nodiscard]] base::Result<std::vector<PreferenceRow>> list(const PreferenceOwner& owner) {
    return store_.preferences().list(owner);
  }
  // See PreferenceRecords::set.
  [[nodiscard]] base::Result<PreferenceRow> set(const PreferenceOwner& owner, std::string_view name,
                                                const std::optional<std::string>& value,
                                                std::optional<std::int64_t> expected,
                                                const Watcher* asker);

 private:
  Store& store_;
  const Watchers& watchers_;
  const base::Clock& clock_;
  std::optional<base::MonotonicTime> locked_until_;
};

}  // namespace session
