#include "session/row_values.h"

#include <algorithm>

#include <boost/json.hpp>

#include "base/log.h"

namespace session {

namespace {

ExtensionsWere extensions_from(std::string_view text) {
  for (const ExtensionsWere what : {ExtensionsWere::open, ExtensionsWere::closed})
    if (text == to_string(what)) return what;
  return ExtensionsWere::never;
}

// An unreadable value grants the least access.
Access access_from(std::string_view text) {
  return text == to_string(Access::control) ? Access::control : Access::view;
}

TokenHash read_hash(const Statement& row, int column) {
  TokenHash hash{};
  const auto bytes = row.blob(column);
  std::copy_n(bytes.begin(), std::min(bytes.size(), hash.size()), hash.begin());
  return hash;
}

std::optional<base::WallTime> read_time(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return from_milliseconds(row.integer(column));
}

template <class Id>
boost::json::array ids_to_json(const std::vector<Id>& ids) {
  boost::json::array list;
  for (const Id& id : ids) list.emplace_back(id.str());
  return list;
}

template <class Id>
std::vector<Id> ids_from_json(const boost::json::value& object, const char* key) {
  std::vector<Id> ids;
  const auto* const fields = object.if_object();
  const auto* const found = fields == nullptr ? nullptr : fields->if_contains(key);
  if (found != nullptr && found->is_array())
    for (const auto& each : found->get_array())
      if (each.is_string()) ids.emplace_back(std::string(each.get_string()));
  return ids;
}

ResourceState resource_state_from(std::string_view text) {
  for (const ResourceState state : {ResourceState::live, ResourceState::orphan})
    if (text == to_string(state)) return state;
  return ResourceState::lost;
}

}  // namespace

std::int64_t to_milliseconds(base::WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

base::WallTime from_milliseconds(std::int64_t milliseconds) {
  // WallTime counts nanoseconds, which overflow 292 years from 1970.
  constexpr auto kMost =
      std::chrono::duration_cast<std::chrono::milliseconds>(base::WallTime::duration::max());
  return base::WallTime(
      std::chrono::milliseconds(std::clamp<std::int64_t>(milliseconds, 0, kMost.count())));
}

std::string_view to_string(Access access) {
  return access == Access::control ? "control" : "view";
}

std::string_view to_string(SessionKind kind) {
  return kind == SessionKind::background ? "background" : "interactive";
}

std::string_view to_string(ExtensionsWere what) {
  switch (what) {
    case ExtensionsWere::never:
      return "never";
    case ExtensionsWere::open:
      return "open";
    case ExtensionsWere::closed:
      return "closed";
  }
  return "never";
}

std::string_view to_string(Isolation isolation) {
  return isolation == Isolation::process ? "process" : "thread";
}

std::optional<Isolation> isolation_from(std::string_view text) {
  for (const Isolation isolation : {Isolation::thread, Isolation::process})
    if (text == to_string(isolation)) return isolation;
  return std::nullopt;
}

std::string_view to_string(ResourceState state) {
  switch (state) {
    case ResourceState::live:
      return "live";
    case ResourceState::orphan:
      return "orphan";
    case ResourceState::lost:
      return "lost";
  }
  return "lost";
}

std::string processes_to_json(const std::vector<ProcessRecord>& processes) {
  boost::json::array list;
  for (const ProcessRecord& process : processes)
    list.push_back(boost::json::array{process.pid, process.started});
  return boost::json::serialize(list);
}

std::vector<ProcessRecord> processes_from_json(std::string_view text) {
  boost::system::error_code error;
  const auto parsed = boost::json::parse({text.data(), text.size()}, error);
  std::vector<ProcessRecord> processes;
  if (error || !parsed.is_array()) return processes;
  for (const auto& each : parsed.get_array())
    if (const auto* pair = each.if_array();
        pair != nullptr && pair->size() == 2 && (*pair)[0].is_int64() && (*pair)[1].is_string())
      processes.push_back(
          {.pid = (*pair)[0].get_int64(), .started = std::string((*pair)[1].get_string())});
  return processes;
}

std::string command_to_json(const std::vector<std::string>& command) {
  return boost::json::serialize(boost::json::value_from(command));
}

std::vector<std::string> command_from_json(std::string_view text) {
  boost::json::parse_options options;
  options.allow_invalid_utf8 = true;
  boost::system::error_code error;
  const auto parsed = boost::json::parse({text.data(), text.size()}, error, {}, options);
  std::vector<std::string> command;
  if (!error && parsed.is_array()) {
    for (const auto& word : parsed.get_array())
      if (word.is_string()) command.emplace_back(word.get_string());
    if (command.size() == parsed.get_array().size()) return command;
  }
  base::log(base::Level::warning, "cannot read a terminal's stored command");
  return {};
}

std::string bounds_to_json(const std::optional<Bounds>& bounds) {
  if (!bounds) return "";
  return boost::json::serialize(boost::json::object{{"sessions", ids_to_json(bounds->sessions)},
                                                    {"terminals", ids_to_json(bounds->terminals)}});
}

std::optional<Bounds> bounds_from_json(std::string_view text) {
  if (text.empty()) return std::nullopt;
  boost::system::error_code error;
  const auto parsed = boost::json::parse({text.data(), text.size()}, error);
  if (error) base::log(base::Level::warning, "cannot read what a stored token is bound to");
  return Bounds{.sessions = ids_from_json<SessionId>(parsed, "sessions"),
                .terminals = ids_from_json<TerminalId>(parsed, "terminals")};
}

UserRow read_user(const Statement& row) {
  return {
      .id = UserId(row.text(0)), .name = row.text(1), .created = from_milliseconds(row.integer(2))};
}

TokenRow read_token(const Statement& row) {
  return {.hash = read_hash(row, 0),
          .user = UserId(row.text(1)),
          .user_name = row.text(2),
          .label = row.text(3),
          .created = from_milliseconds(row.integer(4)),
          .scope = {.access = access_from(row.text(5)), .bounds = bounds_from_json(row.text(6))},
          .expires = read_time(row, 7),
          .last_used = read_time(row, 8),
          .last_address = row.text(9)};
}

SignInRow read_sign_in(const Statement& row) {
  SignInRow sign_in{.hash = read_hash(row, 0),
                    .secret = read_hash(row, 1),
                    .user = UserId(row.text(2)),
                    .user_name = row.text(3),
                    .access = access_from(row.text(5)),
                    .address = row.text(6),
                    .browser = row.text(7),
                    .created = from_milliseconds(row.integer(8)),
                    .expires = from_milliseconds(row.integer(9))};
  if (!row.is_null(4)) sign_in.token = read_hash(row, 4);
  return sign_in;
}

CodeRow read_code(const Statement& row) {
  CodeRow code{.hash = read_hash(row, 0),
               .user = UserId(row.text(1)),
               .user_name = row.text(2),
               .access = access_from(row.text(3)),
               .expires = from_milliseconds(row.integer(4))};
  if (!row.is_null(5)) code.token = read_hash(row, 5);
  return code;
}

SessionRow read_session(const Statement& row) {
  return {.id = SessionId(row.text(0)),
          .user = UserId(row.text(1)),
          .name = row.text(2),
          .kind = row.text(3) == to_string(SessionKind::background) ? SessionKind::background
                                                                    : SessionKind::interactive,
          .created = from_milliseconds(row.integer(4)),
          .cwd = row.text(5),
          .extensions = extensions_from(row.text(6)),
          .isolation = isolation_from(row.text(7))};
}

ResourceRow read_resource(const Statement& row) {
  return {.session = SessionId(row.text(0)),
          .extension = row.text(1),
          .key = row.text(2),
          .state = resource_state_from(row.text(3)),
          .description = row.text(4),
          .processes = processes_from_json(row.text(5)),
          .created = from_milliseconds(row.integer(6))};
}

TerminalRow read_terminal(const Statement& row) {
  TerminalRow terminal{.id = TerminalId(row.text(0)),
                       .session = SessionId(row.text(1)),
                       .position = static_cast<int>(row.integer(3)),
                       .cwd = row.text(4),
                       .command = command_from_json(row.text(5)),
                       .rows = static_cast<std::uint16_t>(row.integer(6)),
                       .cols = static_cast<std::uint16_t>(row.integer(7)),
                       .created = from_milliseconds(row.integer(8)),
                       .last_activity = from_milliseconds(row.integer(9))};
  if (!row.is_null(2)) terminal.name = row.text(2);
  if (!row.is_null(10)) terminal.exit = static_cast<int>(row.integer(10));
  return terminal;
}

PreferenceRow read_preference(const Statement& row) {
  PreferenceRow preference{.user = UserId(row.text(0)),
                           .name = row.text(2),
                           .value = row.text(3),
                           .revision = row.integer(4)};
  if (!row.is_null(1)) preference.session = SessionId(row.text(1));
  return preference;
}

LogEntry read_log_entry(const Statement& row) {
  return {.id = row.integer(0),
          .time = from_milliseconds(row.integer(1)),
          .user = UserId(row.text(2)),
          .session = SessionId(row.text(3)),
          .subject = row.text(4),
          .event = row.text(5),
          .detail = row.text(6)};
}

}  // namespace session
