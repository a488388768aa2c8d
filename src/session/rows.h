// The rows of the store, one struct per table. It keeps times in milliseconds.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/id.h"
#include "session/token.h"

namespace session {

using UserId = base::Id<struct UserTag>;
using SessionId = base::Id<struct SessionTag>;
using TerminalId = base::Id<struct TerminalTag>;

[[nodiscard]] constexpr bool is_valid_user_name(std::string_view name) {
  return base::is_valid_name(name);
}

struct UserRow {
  UserId id{};
  std::string name{};
  base::WallTime created{};

  friend bool operator==(const UserRow&, const UserRow&) = default;
};

// Whether a credential allows everything, or only viewing.
enum class Access { control, view };

// The sessions and terminals that a credential is bound to. They may be gone by now.
struct Bounds {
  std::vector<SessionId> sessions{};
  std::vector<TerminalId> terminals{};

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

// What a credential allows: a role, with everything of its user's or only with what it is bound to.
struct Scope {
  Access access = Access::control;
  std::optional<Bounds> bounds{};  // None: everything.

  [[nodiscard]] bool has(const SessionId& session) const {
    return !bounds || std::ranges::find(bounds->sessions, session) != bounds->sessions.end();
  }
  [[nodiscard]] bool has(const SessionId& session, const TerminalId& terminal) const {
    return has(session) ||
           std::ranges::find(bounds->terminals, terminal) != bounds->terminals.end();
  }

  friend bool operator==(const Scope&, const Scope&) = default;
};

struct TokenRow {
  TokenHash hash{};
  UserId user{};
  std::string user_name{};
  std::string label{};
  base::WallTime created{};
  Scope scope{};
  std::optional<base::WallTime> expires{};
  std::optional<base::WallTime> last_used{};  // About: not every use is written down.
  std::string last_address{};

  friend bool operator==(const TokenRow&, const TokenRow&) = default;
};

// A browser that has signed in. It holds two halves: a cookie, which browsers send to every port of
// the host, and a secret, which only pages of the daemon's own origin can read.
struct SignInRow {
  TokenHash hash{};    // Of the cookie.
  TokenHash secret{};  // Of the other half.
  UserId user{};
  std::string user_name{};
  std::optional<TokenHash> token{};  // The token it was made with. It ends with the token.
  Access access = Access::control;
  std::string address{};
  std::string browser{};
  base::WallTime created{};
  base::WallTime expires{};

  friend bool operator==(const SignInRow&, const SignInRow&) = default;
};

// The code in a link. It signs in once.
struct CodeRow {
  TokenHash hash{};
  UserId user{};
  std::string user_name{};
  std::optional<TokenHash> token{};  // The sign-in has this token's scope, and ends with it.
  Access access = Access::control;
  base::WallTime expires{};

  friend bool operator==(const CodeRow&, const CodeRow&) = default;
};

enum class SessionKind { interactive, background };

// The state of a session's extensions. `open` at startup means that they did not end cleanly and
// must recover.
enum class ExtensionsWere { never, open, closed };

// Where a session's extensions run: in a thread of the shared runner, or in their own runner.
enum class Isolation { thread, process };

struct SessionRow {
  SessionId id{};
  UserId user{};
  std::string name{};
  SessionKind kind = SessionKind::interactive;
  base::WallTime created{};
  std::string cwd{};  // Empty: the home directory.
  ExtensionsWere extensions = ExtensionsWere::never;
  std::optional<Isolation> isolation{};  // None: as configured.

  friend bool operator==(const SessionRow&, const SessionRow&) = default;
};

struct TerminalRow {
  TerminalId id{};
  SessionId session{};
  std::optional<std::string> name{};
  int position = 0;
  std::string cwd{};
  std::vector<std::string> command{};
  std::uint16_t rows = 0;
  std::uint16_t cols = 0;
  base::WallTime created{};
  base::WallTime last_activity{};
  std::optional<int> exit{};  // The exit code, if it has ended.

  friend bool operator==(const TerminalRow&, const TerminalRow&) = default;
};

enum class ResourceState { live, orphan, lost };

// A process, with its start time to tell it from a later one with the same pid.
struct ProcessRecord {
  std::int64_t pid = 0;
  std::string started{};  // From process_start().

  friend bool operator==(const ProcessRecord&, const ProcessRecord&) = default;
};

// A resource of an extension, as far as others need to know it.
struct ResourceRow {
  SessionId session{};
  std::string extension{};
  std::string key{};
  ResourceState state = ResourceState::live;
  std::string description{};
  std::vector<ProcessRecord> processes{};
  base::WallTime created{};

  friend bool operator==(const ResourceRow&, const ResourceRow&) = default;
};

// A value that a user's pages keep, for the user or for one of the user's sessions.
struct PreferenceRow {
  UserId user{};
  std::optional<SessionId> session{};
  std::string name{};
  std::optional<std::string> value{};  // JSON. None: it was removed.
  std::int64_t revision = 0;           // 0: there is none.

  friend bool operator==(const PreferenceRow&, const PreferenceRow&) = default;
};

// One line of the lifecycle log: `event` happened to `subject`. The user and session, if any, may
// no longer exist.
struct LogEntry {
  std::int64_t id = 0;
  base::WallTime time{};
  UserId user{};
  SessionId session{};
  std::string subject{};
  std::string event{};
  std::string detail{};

  friend bool operator==(const LogEntry&, const LogEntry&) = default;
};

struct LogQuery {
  std::optional<UserId> user{};
  std::optional<SessionId> session{};
  std::size_t newest = 100;
  std::optional<std::int64_t> before{};  // Only entries older than the one with this id.
};

}  // namespace session
