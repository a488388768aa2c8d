#include "operation/preference_operations.h"

namespace operation {

Preference describe(const session::PreferenceRow& row) {
  return {.name = row.name, .value = row.value, .revision = row.revision};
}

base::Result<session::PreferenceOwner> PreferenceOperations::owner(
    const Caller& caller, const std::optional<std::string>& session) {
  if (session) {
    const auto found = sessions_.names().find_or_default(caller.reach, *session);
    if (!found) return base::fail(found.error());
    return session::PreferenceOwner{.user = caller.reach.user, .session = found->id};
  }
  if (caller.reach.scope.bounds)
    return base::fail(base::Code::permission_denied,
                      "this credential is bound to some sessions or terminals",
                      "Name its session, or use one that was made without --session and "
                      "--terminal.");
  return session::PreferenceOwner{.user = caller.reach.user, .session = {}};
}

base::Result<std::vector<Preference>> PreferenceOperations::list(
    const Caller& caller, const std::optional<std::string>& session) {
  const auto whose = owner(caller, session);
  if (!whose) return base::fail(whose.error());
  const auto rows = sessions_.preferences().list(*whose);
  if (!rows) return base::fail(rows.error());
  std::vector<Preference> all;
  for (const session::PreferenceRow& row : *rows) all.push_back(describe(row));
  return all;
}

base::Result<Preference> PreferenceOperations::set(const Caller& caller,
                                                   const SetPreference& wanted) {
  if (auto allowed = caller.may_change(); !allowed) return base::fail(allowed.error());
  const auto whose = owner(caller, wanted.session);
  if (!whose) return base::fail(whose.error());
  const auto kept = sessions_.preferences().set(*whose, wanted.name, wanted.value, wanted.revision,
                                                caller.watcher);
  if (!kept) return base::fail(kept.error());
  return describe(*kept);
}

}  // namespace operation
