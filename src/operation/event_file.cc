#include "operation/event_file.h"

#include <fcntl.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <fstream>
#include <iterator>

#include <boost/json.hpp>

#include "wire/json_writer.h"

namespace operation {

namespace json = boost::json;

namespace {

constexpr std::size_t kCheckSize = 16;

// --- lines ---

std::string check_of(std::string_view text) {
  std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  std::string digits(kCheckSize, '0');
  for (std::size_t i = kCheckSize; i > 0; --i, hash >>= 4)
    digits[i - 1] = "0123456789abcdef"[hash & 15];
  return digits;
}

std::string line_of(std::string_view text) {
  return check_of(text).append(" ").append(text).append("\n");
}

// The text of the next whole line, or none.
std::optional<std::string_view> take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos || end < kCheckSize + 1) return std::nullopt;
  const std::string_view text = rest.substr(kCheckSize + 1, end - kCheckSize - 1);
  if (rest[kCheckSize] != ' ' || rest.substr(0, kCheckSize) != check_of(text)) return std::nullopt;
  rest.remove_prefix(end + 1);
  return text;
}

// --- fields ---

void write_fields(wire::JsonWriter& writer, const ToldTerminal& terminal) {
  writer.field("terminalId", terminal.terminal_id)
      .field("session", terminal.session)
      .field("name", terminal.name)
      .field("title", terminal.title)
      .field("status", terminal.status)
      .field("exitCode", terminal.exit_code)
      .field("rows", terminal.rows)
      .field("cols", terminal.cols)
      .field("attached", terminal.is_attached);
  if (!terminal.state.empty()) writer.field("state", terminal.state);
}

std::string text_in(const json::object& object, std::string_view name) {
  return std::string(object.at(name).as_string());
}

std::optional<std::string> text_if_in(const json::object& object, std::string_view name) {
  return object.contains(name) ? std::optional(text_in(object, name)) : std::nullopt;
}

// `owner` says whose it is.
ToldTerminal terminal_in(const json::object& object, const json::object& owner) {
  ToldTerminal told{.user = text_in(owner, "user"),
                    .session_key = text_in(owner, "sessionKey"),
                    .terminal_id = text_in(object, "terminalId"),
                    .session = text_in(object, "session"),
                    .name = text_if_in(object, "name"),
                    .title = text_if_in(object, "title"),
                    .status = text_in(object, "status"),
                    .rows = object.at("rows").as_int64(),
                    .cols = object.at("cols").as_int64(),
                    .is_attached = object.at("attached").as_bool(),
                    .state = text_if_in(object, "state").value_or("")};
  if (const json::value* const noticed = owner.if_contains("noticed"))
    told.noticed = json::value_to<std::uint64_t>(*noticed);
  if (const json::value* const code = object.if_contains("exitCode"))
    told.exit_code = json::value_to<int>(*code);
  return told;
}

void write_fields(wire::JsonWriter& writer, const ToldNotice& notice) {
  writer.field("kind", notice.kind)
      .field("command", notice.command)
      .field("text", notice.text)
      .field("exitCode", notice.exit_code)
      .field("duration", notice.duration)
      .field("watched", notice.watched);
}

ToldNotice notice_in(const json::object& object) {
  ToldNotice notice{.kind = text_in(object, "kind"),
                    .command = text_if_in(object, "command"),
                    .text = text_if_in(object, "text"),
                    .watched = object.at("watched").as_bool()};
  if (const json::value* const code = object.if_contains("exitCode"))
    notice.exit_code = json::value_to<int>(*code);
  if (const json::value* const duration = object.if_contains("duration"))
    notice.duration = json::value_to<std::int64_t>(*duration);
  return notice;
}

LoggedEvent event_in(const json::object& object) {
  LoggedEvent event{.number = json::value_to<std::uint64_t>(object.at("number")),
                    .type = text_in(object, "type"),
                    .key = text_in(object, "key"),
                    .at = text_in(object, "at"),
                    .reason = text_if_in(object, "reason").value_or(""),
                    .old_name = text_if_in(object, "oldName").value_or("")};
  if (const json::value* const terminal = object.if_contains("terminal"))
    event.terminal = terminal_in(terminal->as_object(), object);
  else
    event.session = {.user = text_in(object, "user"), .name = text_in(object, "name")};
  if (const json::value* const notice = object.if_contains("notice"))
    event.notice = notice_in(notice->as_object());
  return event;
}

EventHistory history_in(const json::object& object) {
  EventHistory history{.id = text_in(object, "log"),
                       .next = json::value_to<std::uint64_t>(object.at("next"))};
  for (const json::value& each : object.at("terminals").as_array()) {
    const json::object& told = each.as_object();
    history.terminals.emplace(text_in(told, "key"), terminal_in(told, told));
  }
  for (const json::value& each : object.at("sessions").as_array()) {
    const json::object& told = each.as_object();
    history.sessions.emplace(text_in(told, "key"), ToldSession{.user = text_in(told, "user"),
                                                               .name = text_in(told, "name")});
  }
  return history;
}

void write_event_fields(wire::JsonWriter& writer, const LoggedEvent& event) {
  writer.field("at", event.at);
  if (!event.reason.empty()) writer.field("reason", event.reason);
  if (!event.old_name.empty()) writer.field("oldName", event.old_name);
  if (event.terminal)
    writer.raw("terminal", to_json(*event.terminal));
  else
    writer.field("name", event.session->name);
  if (!event.notice) return;
  writer.begin_object("notice");
  write_fields(writer, *event.notice);
  writer.end_object();
}

void write_noticed(wire::JsonWriter& writer, const ToldTerminal& terminal) {
  if (terminal.noticed > 0) writer.field("noticed", terminal.noticed);
}

}  // namespace

// --- what events lead to ---

void EventHistory::apply(const LoggedEvent& event) {
  if (event.terminal && event.type == "terminal_closed")
    terminals.erase(event.key);
  else if (event.terminal)
    terminals.insert_or_assign(event.key, *event.terminal);
  else if (event.type == "session_closed")
    sessions.erase(event.key);
  else
    sessions.insert_or_assign(event.key, *event.session);
  if (event.type != "session_renamed") return;
  for (auto& [key, terminal] : terminals)
    if (terminal.user == event.session->user && terminal.session == event.old_name)
      terminal.session = event.session->name;
}

// --- text ---

std::string to_json(const ToldTerminal& terminal) {
  std::string out;
  wire::JsonWriter writer(out);
  writer.begin_object();
  write_fields(writer, terminal);
  writer.end_object();
  return out;
}

std::string data_of(const LoggedEvent& event) {
  std::string out;
  wire::JsonWriter writer(out);
  writer.begin_object();
  write_event_fields(writer, event);
  writer.end_object();
  return out;
}

std::string encode(const LoggedEvent& event) {
  std::string out;
  wire::JsonWriter writer(out);
  writer.begin_object()
      .field("number", event.number)
      .field("type", event.type)
      .field("key", event.key)
      .field("user", event.user());
  if (event.terminal) {
    writer.field("sessionKey", event.terminal->session_key);
    write_noticed(writer, *event.terminal);
  }
  write_event_fields(writer, event);
  writer.end_object();
  return line_of(out);
}

// The first line has what the events before `next` lead to. The newest of them follow, and later
// ones are appended.
std::string encode(const EventHistory& history) {
  std::string out;
  wire::JsonWriter writer(out);
  writer.begin_object().field("log", history.id).field("next", history.next);
  writer.begin_array("terminals");
  for (const auto& [key, terminal] : history.terminals) {
    writer.begin_object()
        .field("key", key)
        .field("user", terminal.user)
        .field("sessionKey", terminal.session_key);
    write_noticed(writer, terminal);
    write_fields(writer, terminal);
    writer.end_object();
  }
  writer.end_array().begin_array("sessions");
  for (const auto& [key, session] : history.sessions)
    writer.begin_object()
        .field("key", key)
        .field("user", session.user)
        .field("name", session.name)
        .end_object();
  writer.end_array().end_object();
  std::string text = line_of(out);
  for (const LoggedEvent& event : history.events) text += encode(event);
  return text;
}

std::optional<EventHistory> decode_history(std::string_view text) {
  const auto first = take_line(text);
  if (!first) return std::nullopt;
  try {
    EventHistory history = history_in(json::parse(*first).as_object());
    while (const auto line = take_line(text)) {
      LoggedEvent event = event_in(json::parse(*line).as_object());
      // Those before `next` are in the state already.
      if (!history.events.empty() && event.number != history.events.back().number + 1)
        return std::nullopt;
      if (event.number > history.next) return std::nullopt;
      if (event.number == history.next) {
        ++history.next;
        history.apply(event);
      }
      history.events.push_back(std::move(event));
    }
    const bool ends_right =
        history.events.empty() || history.events.back().number + 1 == history.next;
    // What follows may be the beginning of a line that was never finished, but nothing else.
    if (!ends_right || text.find('\n') != std::string_view::npos) return std::nullopt;
    return history;
  } catch (const std::exception&) {  // Not what this program writes.
    return std::nullopt;
  }
}

// --- the file ---

std::optional<EventHistory> EventFile::read() const {
  std::ifstream file(path_, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return decode_history(text);
}

base::Status EventFile::write(const EventHistory& history) {
  const std::filesystem::path fresh = path_.native() + ".new";
  base::Fd file(::open(fresh.c_str(),
                       O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return give_up(base::errno_error(errno, "create " + fresh.native()));
  const std::string text = encode(history);
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return give_up(base::errno_error(errno, "write " + fresh.native()));
  if (::rename(fresh.c_str(), path_.c_str()) < 0)
    return give_up(base::errno_error(errno, "rename " + fresh.native()));
  file_ = std::move(file);
  return {};
}

base::Status EventFile::append(const LoggedEvent& event) {
  if (!file_) return {};  // Given up.
  const std::string line = encode(event);
  if (::write(file_.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()))
    return {};
  return give_up(base::errno_error(errno, "write " + path_.native()));
}

base::Status EventFile::give_up(const base::Error& error) {
  file_.reset();
  ::unlink(path_.c_str());
  return base::fail(error);
}

}  // namespace operation
