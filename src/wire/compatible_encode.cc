#include "base/time_text.h"
#include "wire/compatible.h"
#include "wire/json_writer.h"

namespace wire::compatible {
namespace {

// {"type": …, "sessionId"?: …, "data": {
JsonWriter begin(std::string& out, std::string_view type, std::string_view session_id) {
  JsonWriter writer(out);
  writer.begin_object().field("type", type);
  if (!session_id.empty()) writer.field("sessionId", session_id);
  writer.begin_object("data");
  return writer;
}

void end(JsonWriter& writer) {
  writer.end_object().end_object();
}

// A message about a terminal has its id in both places.
JsonWriter begin_about(std::string& out, std::string_view type, std::string_view session_id) {
  JsonWriter writer = begin(out, type, session_id);
  writer.field("sessionId", session_id);
  return writer;
}

std::string opened_message(std::string_view type, const Opened& opened) {
  std::string out;
  JsonWriter writer = begin_about(out, type, opened.session_id);
  writer.field("workingDirectory", opened.working_directory).field("shell", opened.shell);
  end(writer);
  return out;
}

void write_session(JsonWriter& writer, const SessionInfo& session) {
  writer.begin_object()
      .field("sessionId", session.session_id)
      .field("name", session.name)
      .field("status", to_string(session.status))
      .field("createdAt", base::utc_milliseconds(session.created_at))
      .field("lastActivityAt", base::utc_milliseconds(session.last_activity_at))
      .field("workingDirectory", session.working_directory)
      .field("exitCode", session.exit_code)
      .end_object();
}

}  // namespace

std::string session_created(const Opened& opened) {
  return opened_message("session_created", opened);
}

std::string session_reattached(const Opened& opened) {
  return opened_message("session_reattached", opened);
}

std::string session_list(std::span<const SessionInfo> sessions) {
  std::string out;
  JsonWriter writer = begin(out, "session_list", "");
  writer.begin_array("sessions");
  for (const SessionInfo& session : sessions) write_session(writer, session);
  writer.end_array();
  end(writer);
  return out;
}

std::string session_closed(std::string_view session_id, CloseReason reason,
                           std::optional<int> exit_code) {
  std::string out;
  JsonWriter writer = begin_about(out, "session_closed", session_id);
  writer.field("reason", to_string(reason)).field("exitCode", exit_code);
  end(writer);
  return out;
}

std::string session_renamed(std::string_view session_id, std::string_view name) {
  std::string out;
  JsonWriter writer = begin_about(out, "session_renamed", session_id);
  writer.field("name", name);
  end(writer);
  return out;
}

std::string session_detached(std::string_view session_id) {
  std::string out;
  JsonWriter writer = begin_about(out, "session_detached", session_id);
  writer.field("reason", "takeover");
  end(writer);
  return out;
}

std::string error(const Refusal& refusal) {
  std::string out;
  const std::string id = refusal.session_id.value_or("");
  JsonWriter writer = begin(out, "error", refusal.naming == Naming::top ? id : "");
  writer.field("error", refusal.error);
  if (refusal.naming == Naming::data && !id.empty()) writer.field("sessionId", id);
  if (!refusal.details.empty()) writer.field("details", refusal.details);
  end(writer);
  return out;
}

std::string pong(const std::optional<std::string>& session_id) {
  std::string out;
  JsonWriter(out).begin_object().field("type", "pong").field("sessionId", session_id).end_object();
  return out;
}

void append_scrollback(std::string& out, std::string_view session_id,
                       std::span<const std::byte> bytes, std::uint64_t offset, Replay replay) {
  JsonWriter writer = begin(out, "scrollback", session_id);
  writer.field("data", bytes).field("offset", offset);
  if (replay == Replay::resumed) writer.field("resumed", true);
  end(writer);
}

void append_output(std::string& out, std::string_view session_id, std::span<const std::byte> bytes,
                   std::uint64_t offset) {
  JsonWriter writer = begin(out, "output", session_id);
  writer.field("data", bytes).field("offset", offset);
  end(writer);
}

}  // namespace wire::compatible
