// Conversions between the structs of rows.h and SQLite's values. The data may be damaged, so every
// function accepts anything.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "session/rows.h"
#include "session/sqlite.h"

namespace session {

[[nodiscard]] std::int64_t to_milliseconds(base::WallTime time);
[[nodiscard]] base::WallTime from_milliseconds(std::int64_t milliseconds);

[[nodiscard]] std::string_view to_string(Access access);
[[nodiscard]] std::string_view to_string(SessionKind kind);
[[nodiscard]] std::string_view to_string(ExtensionsWere what);
[[nodiscard]] std::string_view to_string(ResourceState state);
[[nodiscard]] std::string_view to_string(Isolation isolation);
[[nodiscard]] std::optional<Isolation> isolation_from(std::string_view text);

// A command as a JSON array. Bytes that are not UTF-8 stay as they are.
[[nodiscard]] std::string command_to_json(const std::vector<std::string>& command);
// Empty if the text is not such an array.
[[nodiscard]] std::vector<std::string> command_from_json(std::string_view text);

// Processes as a JSON array of [pid, start].
[[nodiscard]] std::string processes_to_json(const std::vector<ProcessRecord>& processes);
[[nodiscard]] std::vector<ProcessRecord> processes_from_json(std::string_view text);

// What a credential is bound to, as a JSON object; empty for everything. Of unreadable text comes
// the least: bound to nothing that exists.
[[nodiscard]] std::string bounds_to_json(const std::optional<Bounds>& bounds);
[[nodiscard]] std::optional<Bounds> bounds_from_json(std::string_view text);

// Each reads the columns of its struct in order, starting at column 0.
[[nodiscard]] UserRow read_user(const Statement& row);
[[nodiscard]] TokenRow read_token(const Statement& row);
[[nodiscard]] SignInRow read_sign_in(const Statement& row);
[[nodiscard]] CodeRow read_code(const Statement& row);
[[nodiscard]] SessionRow read_session(const Statement& row);
[[nodiscard]] TerminalRow read_terminal(const Statement& row);
[[nodiscard]] ResourceRow read_resource(const Statement& row);
[[nodiscard]] PreferenceRow read_preference(const Statement& row);
[[nodiscard]] LogEntry read_log_entry(const Statement& row);

}  // namespace session
