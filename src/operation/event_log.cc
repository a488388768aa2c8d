#include "operation/event_log.h"

#include <algorithm>
#include <charconv>

#include "base/log.h"
#include "base/time_text.h"
#include "operation/describe.h"
#include "session/random.h"
#include "wire/json_writer.h"
#include "wire/status.h"

namespace operation {
namespace {

constexpr std::size_t kMostAtOnce = 100;

std::string now() {
  return base::utc_milliseconds(std::chrono::system_clock::now());
}

std::string_view name_of(session::CloseReason reason) {
  switch (reason) {
    case session::CloseReason::user_requested:
      return "user_requested";
    case session::CloseReason::process_exit:
      return "process_exit";
    case session::CloseReason::idle_timeout:
      return "idle_timeout";
    case session::CloseReason::error:
      break;
  }
  return "error";
}

ToldTerminal told(const session::TerminalEntry& entry) {
  const bool is_saved = entry.saved.has_value();
  ToldTerminal told{.user = entry.user.str(),
                    .session_key = entry.session.id.str(),
                    .terminal_id = entry.id.str(),
                    .session = entry.session.name,
                    .name = entry.name,
                    .status = is_saved          ? "restorable"
                              : entry.exit_code ? "exited"
                                                : "running",
                    .exit_code = is_saved ? entry.saved->exit : entry.exit_code};
  if (is_saved) {
    told.rows = entry.saved->rows;
    told.cols = entry.saved->cols;
  } else if (entry.terminal) {
    told.rows = entry.terminal->screen().size().rows;
    told.cols = entry.terminal->screen().size().cols;
    if (std::string title = entry.terminal->screen().state().titles.title; !title.empty())
      told.title = std::move(title);
    told.is_attached = entry.terminal->audience().size() > 0;
    told.state = terminal::name_of(entry.terminal->states().state().kind);
  }
  return told;
}

bool can_reach(const session::Reach& reach, const std::string& key, const ToldSession& session) {
  return session.user == reach.user.str() && reach.scope.has(session::SessionId(key));
}

bool can_reach(const session::Reach& reach, const LoggedEvent& event) {
  return event.terminal ? can_reach(reach, *event.terminal)
                        : can_reach(reach, event.key, *event.session);
}

}  // namespace

bool can_reach(const session::Reach& reach, const ToldTerminal& terminal) {
  return terminal.user == reach.user.str() &&
         reach.scope.has(session::SessionId(terminal.session_key),
                         session::TerminalId(terminal.terminal_id));
}

EventLog::EventLog(boost::asio::any_io_executor executor, session::Sessions& sessions,
                   std::filesystem::path file)
    : sessions_(sessions), file_(std::move(file)), changed_(executor) {
  if (auto history = file_.read())
    history_ = *std::move(history);
  else
    history_.id = session::random_id().value_or("0").substr(0, 16);
  add_session_differences();
  add_terminal_differences();
  add_early_notices();
  rewrite();
  sessions_.watchers().add_for_all_users(*this);
}

EventLog::~EventLog() {
  sessions_.watchers().remove(*this);
}

// --- what happens ---

void EventLog::add(std::string type, const Entry& entry) {
  if (entry.lifetime == session::Lifetime::connection) return;
  add({.type = std::move(type), .key = entry.key.str(), .at = now(), .terminal = told_now(entry)});
}

// It stays known what was noticed.
ToldTerminal EventLog::told_now(const Entry& entry) const {
  ToldTerminal now = told(entry);
  const auto known = history_.terminals.find(entry.key.str());
  if (known != history_.terminals.end()) now.noticed = known->second.noticed;
  return now;
}

// Its progress and its texts are no events.
void EventLog::terminal_changed(const Entry& entry) {
  const auto known = history_.terminals.find(entry.key.str());
  if (known == history_.terminals.end() || told(entry).state != known->second.state)
    add("terminal_changed", entry);
}

void EventLog::terminal_closed(const Entry& entry, session::CloseReason reason) {
  if (!history_.terminals.contains(entry.key.str())) return;
  ToldTerminal last = history_.terminals.at(entry.key.str());
  last.exit_code = entry.exit_code;
  add({.type = "terminal_closed",
       .key = entry.key.str(),
       .at = now(),
       .reason = std::string(name_of(reason)),
       .terminal = std::move(last)});
}

void EventLog::add(std::string type, const session::SessionRow& row) {
  add({.type = std::move(type),
       .key = row.id.str(),
       .at = now(),
       .session = ToldSession{.user = row.user.str(), .name = row.name}});
}

void EventLog::session_renamed(const session::SessionRow& row, const std::string& old_name) {
  add({.type = "session_renamed",
       .key = row.id.str(),
       .at = now(),
       .old_name = old_name,
       .session = ToldSession{.user = row.user.str(), .name = row.name}});
}

void EventLog::add(LoggedEvent event) {
  event.number = history_.next++;
  history_.apply(event);
  if (auto appended = file_.append(event); !appended)
    base::log(base::Level::warning, "cannot keep events; clients start over after a restart",
              {{"error", appended.error()}});
  history_.events.push_back(std::move(event));
  if (history_.events.size() > kMostEvents) history_.events.pop_front();
  if (++appended_ >= 2 * kMostEvents) rewrite();
  changed_.notify();
}

void EventLog::rewrite() {
  appended_ = 0;
  if (auto written = file_.write(history_); !written)
    base::log(base::Level::warning, "cannot keep events; clients start over after a restart",
              {{"error", written.error()}});
}

// --- what happened while no daemon was there, or was not told before one died ---

void EventLog::add_session_differences() {
  std::map<std::string, session::SessionRow> now;
  for (session::SessionRow& row : sessions_.names().all_sessions())
    now.emplace(row.id.str(), std::move(row));
  const auto before = history_.sessions;
  for (const auto& [key, row] : now) {
    const auto known = before.find(key);
    if (known == before.end())
      add("session_created", row);
    else if (known->second.name != row.name)
      session_renamed(row, known->second.name);
  }
  for (const auto& [key, session] : before)
    if (!now.contains(key))
      add({.type = "session_closed", .key = key, .at = operation::now(), .session = session});
}

void EventLog::add_terminal_differences() {
  std::map<std::string, ToldTerminal> now;
  for (const auto& [key, entry] : sessions_.terminals())
    if (session::is_listed(entry)) now.emplace(key, told_now(entry));
  const auto before = history_.terminals;
  for (const auto& [key, terminal] : before)
    if (!now.contains(key))
      add({.type = "terminal_closed",
           .key = key,
           .at = operation::now(),
           .reason = "error",
           .terminal = terminal});
  for (const auto& [key, terminal] : now) add_differences_of(key, terminal);
}

void EventLog::add_differences_of(const std::string& key, const ToldTerminal& now) {
  const auto known = history_.terminals.find(key);
  const auto tell = [&](std::string type, const ToldTerminal& terminal) {
    add({.type = std::move(type), .key = key, .at = operation::now(), .terminal = terminal});
  };
  if (known == history_.terminals.end()) return tell("terminal_created", now);
  ToldTerminal next = known->second;
  if (next.name != now.name || next.session != now.session) {
    next.name = now.name;
    next.session = now.session;
    tell("terminal_renamed", next);
  }
  if (next.rows != now.rows || next.cols != now.cols) {
    next.rows = now.rows;
    next.cols = now.cols;
    tell("terminal_resized", next);
  }
  if (next.title != now.title) {
    next.title = now.title;
    tell("terminal_titled", next);
  }
  if (next.is_attached != now.is_attached) {
    next.is_attached = now.is_attached;
    tell(now.is_attached ? "terminal_attached" : "terminal_orphaned", next);
  }
  if (next.state != now.state && next.status == now.status) {
    next.state = now.state;
    tell("terminal_changed", next);
  }
  if (next == now) return;
  tell(now.status == "exited"       ? "terminal_exited"
       : now.status == "restorable" ? "terminal_restorable"
                                    : "terminal_created",
       now);
}

// --- readers ---

std::string EventLog::id_of(std::uint64_t number) const {
  return history_.id + "-" + std::to_string(number);
}

std::string EventLog::id_before(const EventCursor& cursor) const {
  return id_of(cursor.next - 1);
}

EventCursor EventLog::after(std::string_view id) const {
  const std::size_t dash = id.rfind('-');
  if (dash == std::string_view::npos || id.substr(0, dash) != history_.id) return {};
  std::uint64_t number = 0;
  const char* const end = id.data() + id.size();
  const auto [parsed, error] = std::from_chars(id.data() + dash + 1, end, number);
  if (error != std::errc() || parsed != end || number >= history_.next || number + 1 < first())
    return {};
  return {.next = number + 1, .starts_over = false};
}

EventCursor EventLog::oldest() const {
  return {.next = first(), .starts_over = false};
}

ShownEvent EventLog::all_of(const session::Reach& reach) const {
  std::string terminals;
  for (const auto& [key, terminal] : history_.terminals)
    if (can_reach(reach, terminal))
      (terminals += terminals.empty() ? "" : ",") += to_json(terminal);
  std::string data;
  wire::JsonWriter writer(data);
  writer.begin_object().field("at", now()).raw("terminals", "[" + terminals + "]");
  writer.begin_array("sessions");
  for (const auto& [key, session] : history_.sessions)
    if (can_reach(reach, key, session))
      writer.begin_object().field("name", session.name).end_object();
  writer.end_array().end_object();
  return {.id = id_of(history_.next - 1), .type = "reset", .data = std::move(data)};
}

std::vector<ShownEvent> EventLog::take(const session::Reach& reach, EventCursor& cursor) const {
  std::vector<ShownEvent> taken;
  if (cursor.starts_over || cursor.next < first()) {
    taken.push_back(all_of(reach));
    cursor = {.next = history_.next, .starts_over = false};
  }
  for (; cursor.next < history_.next && taken.size() < kMostAtOnce; ++cursor.next) {
    const LoggedEvent& event = history_.events[cursor.next - first()];
    if (can_reach(reach, event))
      taken.push_back({.id = id_of(event.number), .type = event.type, .data = data_of(event)});
  }
  return taken;
}

}  // namespace operation
