// Which user's things a caller can reach, and which of them. Anything else is `not_found`, like
// another user's.

#pragma once

#include <utility>

#include "base/result.h"
#include "session/rows.h"
#include "session/terminal_entry.h"

namespace session {

struct Reach {
  Reach() = default;
  // Of a user alone: everything of that user's.
  Reach(UserId user, Scope scope = {}) : user(std::move(user)), scope(std::move(scope)) {}

  [[nodiscard]] bool has(const TerminalEntry& entry) const {
    return entry.user == user && scope.has(entry.session.id, entry.id);
  }
  [[nodiscard]] bool has(const SessionRow& session) const {
    return session.user == user && scope.has(session.id);
  }
  // What is the user's own, and no session's, is beyond a credential that is bound.
  [[nodiscard]] bool has(const PreferenceRow& preference) const {
    return preference.user == user &&
           (preference.session ? scope.has(*preference.session) : !scope.bounds);
  }
  // Whether new sessions may be made: they are in no bounds.
  [[nodiscard]] base::Status may_create_sessions() const {
    if (!scope.bounds) return {};
    return base::fail(base::Code::permission_denied,
                      "this credential is bound to some sessions or terminals",
                      "Use one that was made without --session and --terminal.");
  }
  // Whether terminals may be made anywhere.
  [[nodiscard]] base::Status may_create_terminals() const {
    if (!scope.bounds || !scope.bounds->sessions.empty()) return {};
    return base::fail(base::Code::permission_denied, "this credential is bound to some terminals",
                      "Use one that was made without --terminal.");
  }

  UserId user;
  Scope scope;
};

}  // namespace session
