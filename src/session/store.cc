#include "session/store.h"

#include <limits>
#include <utility>

#include "base/utf8.h"
#include "session/random.h"
#include "session/row_values.h"

namespace session {
namespace {

// The log is pruned after every so many entries.
constexpr std::int64_t kPruned = 256;
constexpr std::size_t kLongestLogged = 4096;  // Of a text, in bytes.

constexpr std::string_view kSelectTerminals =
    "SELECT id, session, name, position, cwd, command, rows, cols, created, last_activity, exit "
    "FROM terminals ORDER BY session, position, created, id";
constexpr std::string_view kSelectLog =
    "SELECT id, time, user, session, subject, event, detail FROM log ";

std::optional<std::string_view> view(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return *text;
}

template <class T>
Value nullable(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

}  // namespace

std::int64_t Store::now() const {
  return to_milliseconds(options_.clock->wall());
}

base::Result<bool> Store::was_changed_elsewhere() {
  const auto version = database_.number("PRAGMA data_version");
  if (!version) return base::fail(version.error());
  return std::exchange(data_version_, *version) != *version;
}

base::Status Store::transaction(const std::function<base::Status()>& work) {
  return database_.transaction(work);
}

base::Result<UserRow> Store::ensure_user(std::string_view name) {
  if (!is_valid_user_name(name))
    return base::fail(base::Code::invalid_argument, "invalid user name",
                      "Use 1 to 128 of A-Z a-z 0-9 . _ - and start with a letter or a digit.");
  if (auto known = user(name); known || known.error().code != base::Code::not_found) return known;
  const auto id = random_id();
  if (!id) return base::fail(id.error());
  // Another process may have created it in the meantime.
  if (auto made = database_.write(
          "INSERT INTO users VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING", {*id, name, now()});
      !made)
    return base::fail(made.error());
  return user(name);
}

base::Result<UserRow> Store::user(std::string_view name) {
  return only(
      database_.rows("SELECT id, name, created FROM users WHERE name = ?", {name}, read_user),
      "user " + std::string(name));
}

base::Result<std::vector<UserRow>> Store::users() {
  return database_.rows("SELECT id, name, created FROM users ORDER BY name", {}, read_user);
}

base::Result<SessionRow> Store::ensure_session(const UserId& user, std::string_view name,
                                               SessionKind kind, std::string_view cwd,
                                               std::optional<Isolation> isolation) {
  const auto find = [&] {
    return only(
        database_.rows(
            "SELECT id, user, name, kind, created, cwd, extensions, isolation FROM sessions "
            "WHERE user = ? AND name = ?",
            {user.str(), name}, read_session),
        "session " + std::string(name));
  };
  if (auto known = find(); known || known.error().code != base::Code::not_found) return known;
  const auto id = random_id();
  if (!id) return base::fail(id.error());
  if (auto made =
          database_.write("INSERT INTO sessions (id, user, name, kind, created, cwd, isolation) "
                          "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user, name) DO NOTHING",
                          {*id, user.str(), name, to_string(kind), now(), cwd,
                           isolation ? to_string(*isolation) : std::string_view()});
      !made)
    return base::fail(made.error());
  return find();
}

base::Result<std::vector<SessionRow>> Store::sessions(const UserId& user) {
  return database_.rows(
      "SELECT id, user, name, kind, created, cwd, extensions, isolation FROM sessions "
      "WHERE user = ? ORDER BY created, name",
      {user.str()}, read_session);
}

base::Status Store::rename_session(const SessionId& id, std::string_view name) {
  const auto renamed = database_.run("UPDATE sessions SET name = ? WHERE id = ?", {name, id.str()});
  if (!renamed) return base::fail(renamed.error());
  if (*renamed == 0) return base::fail(base::Code::not_found, "there is no session " + id.str());
  return {};
}

base::Status Store::remove_session(const SessionId& id) {
  return database_.write("DELETE FROM sessions WHERE id = ?", {id.str()});
}

base::Status Store::save_terminal(const TerminalRow& row) {
  return database_.write(
      "INSERT INTO terminals (id, session, name, position, cwd, command, rows, cols, created, "
      "last_activity, exit) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (id) DO UPDATE SET session = excluded.session, name = excluded.name, "
      "position = excluded.position, cwd = excluded.cwd, command = excluded.command, "
      "rows = excluded.rows, cols = excluded.cols, created = excluded.created, "
      "last_activity = excluded.last_activity, exit = excluded.exit",
      {row.id.str(), row.session.str(), nullable(view(row.name)), std::int64_t{row.position},
       row.cwd, command_to_json(row.command), std::int64_t{row.rows}, std::int64_t{row.cols},
       to_milliseconds(row.created), to_milliseconds(row.last_activity),
       nullable<std::int64_t>(row.exit)});
}

base::Status Store::remove_terminal(const TerminalId& id) {
  return database_.write("DELETE FROM terminals WHERE id = ?", {id.str()});
}

base::Result<std::vector<TerminalRow>> Store::terminals() {
  return database_.rows(kSelectTerminals, {}, read_terminal);
}

base::Status Store::set_positions(std::span<const std::pair<TerminalId, int>> positions) {
  return transaction([&]() -> base::Status {
    for (const auto& [id, position] : positions)
      if (auto set = database_.write("UPDATE terminals SET position = ? WHERE id = ?",
                                     {std::int64_t{position}, id.str()});
          !set)
        return set;
    return {};
  });
}

base::Status Store::append_log(const LogEntry& entry) {
  return transaction([&]() -> base::Status {
    if (auto added =
            database_.write("INSERT INTO log (time, user, session, subject, event, detail) "
                            "VALUES (?, ?, ?, ?, ?, ?)",
                            {now(), entry.user.str(), entry.session.str(),
                             base::cut_utf8(entry.subject, kLongestLogged),
                             base::cut_utf8(entry.event, kLongestLogged),
                             base::cut_utf8(entry.detail, kLongestLogged)});
        !added)
      return added;
    const std::int64_t id = database_.last_insert_id();
    if (id % kPruned != 0) return {};
    // Only this user's entries: one user's must not push out another's.
    return database_.write(
        "DELETE FROM log WHERE user = ?1 AND id <= (SELECT id FROM log WHERE user = ?1 "
        "ORDER BY id DESC LIMIT 1 OFFSET ?2)",
        {entry.user.str(), options_.log_limit});
  });
}

base::Result<std::vector<LogEntry>> Store::log(const LogQuery& query) {
  const std::int64_t before = query.before.value_or(std::numeric_limits<std::int64_t>::max());
  const auto newest = static_cast<std::int64_t>(query.newest);
  const auto ask = [&](std::string_view where, std::initializer_list<Value> values) {
    return database_.rows(
        std::string(kSelectLog) + std::string(where) + " id < ? ORDER BY id DESC LIMIT ?", values,
        read_log_entry);
  };
  // A statement for each case, so that each uses its index.
  if (query.user && query.session)
    return ask("WHERE user = ? AND session = ? AND",
               {query.user->str(), query.session->str(), before, newest});
  if (query.user) return ask("WHERE user = ? AND", {query.user->str(), before, newest});
  if (query.session) return ask("WHERE session = ? AND", {query.session->str(), before, newest});
  return ask("WHERE", {before, newest});
}

}  // namespace session
