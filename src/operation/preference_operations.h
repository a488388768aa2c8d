// What can be asked about preferences.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "operation/caller.h"
#include "session/sessions.h"
#include "wire/native_events.h"

namespace operation {

using wire::native::Preference;

struct SetPreference {
  std::optional<std::string> session;  // None: the user's own.
  std::string name;
  std::optional<std::string> value;      // JSON. None: remove it.
  std::optional<std::int64_t> revision;  // The kept one must be this; 0: there must be none.
};

class PreferenceOperations {
 public:
  explicit PreferenceOperations(session::Sessions& sessions) : sessions_(sessions) {}

  // Of one of the user's sessions, or the user's own.
  [[nodiscard]] base::Result<std::vector<Preference>> list(
      const Caller& caller, const std::optional<std::string>& session);
  [[nodiscard]] base::Result<Preference> set(const Caller& caller, const SetPreference& wanted);

 private:
  // Checks that the caller reaches them.
  [[nodiscard]] base::Result<session::PreferenceOwner> owner(
      const Caller& caller, const std::optional<std::string>& session);

  session::Sessions& sessions_;
};

[[nodiscard]] Preference describe(const session::PreferenceRow& row);

}  // namespace operation
