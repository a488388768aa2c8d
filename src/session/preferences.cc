#include "session/preferences.h"

#include <chrono>

namespace session {

base::Result<PreferenceRow> Preferences::set(const PreferenceOwner& owner, std::string_view name,
                                             const std::optional<std::string>& value,
                                             std::optional<std::int64_t> expected,
                                             const Watcher* asker) {
  constexpr std::chrono::seconds kPause{1};
  if (locked_until_ && clock_.now() < *locked_until_)
    return base::fail(base::Code::busy, "the database is locked", "Try again in a second.");
  const auto kept = store_.preferences().set(owner, name, value, expected);
  locked_until_.reset();
  if (!kept && kept.error().code == base::Code::busy) locked_until_ = clock_.now() + kPause;
  if (kept)
    watchers_.tell(*kept, asker, [&](Watcher& watcher) { watcher.preference_changed(*kept); });
  return kept;
}

}  // namespace session
