#include "wire/native_events.h"

#include "base/time_text.h"
#include "wire/native_envelope.h"

namespace wire::native {
namespace {

void write_fields(JsonWriter& writer, const TerminalInfo& terminal) {
  writer.field("terminalId", terminal.terminal_id)
      .field("session", terminal.session)
      .field("name", terminal.name)
      .field("order", terminal.order)
      .field("status", to_string(terminal.status))
      .field("rows", terminal.rows)
      .field("cols", terminal.cols)
      .field("createdAt", base::utc_milliseconds(terminal.created_at))
      .field("lastActivityAt", base::utc_milliseconds(terminal.last_activity_at))
      .field("workingDirectory", terminal.working_directory)
      .field("title", terminal.title)
      .begin_array("command");
  for (const std::string& entry : terminal.command) writer.element(entry);
  writer.end_array().field("process", terminal.process);
  if (terminal.busy) writer.field("busy", true);
  writer.field("viewers", terminal.viewers).field("exitCode", terminal.exit_code);
  if (terminal.state) write(writer, "state", *terminal.state);
}

void write_fields(JsonWriter& writer, const SessionInfo& session) {
  writer.field("name", session.name)
      .field("kind", to_string(session.kind))
      .field("terminals", session.terminals);
  if (session.restorable > 0) writer.field("restorable", session.restorable);
  writer.field("createdAt", base::utc_milliseconds(session.created_at));
}

// Null tells a reader that it is not known, unlike a field that an older daemon does not have.
template <class T>
void field_or_null(JsonWriter& writer, std::string_view key, const std::optional<T>& value) {
  if (value)
    writer.field(key, *value);
  else
    writer.raw(key, "null");
}

void write_fields(JsonWriter& writer, const ShellCommand& command) {
  const auto text_of = [](const std::optional<base::WallTime>& time) {
    return time.transform(base::utc_milliseconds);
  };
  field_or_null(writer, "text", command.text);
  field_or_null(writer, "directory", command.directory);
  field_or_null(writer, "start", command.start);
  field_or_null(writer, "end", command.end);
  field_or_null(writer, "exitCode", command.exit_code);
  field_or_null(writer, "startedAt", text_of(command.started_at));
  field_or_null(writer, "endedAt", text_of(command.ended_at));
}

void write_fields(JsonWriter& writer, const ShellCommands& shell) {
  writer.field("state", shell.state).begin_array("commands");
  for (const ShellCommand& command : shell.commands) {
    writer.begin_object();
    write_fields(writer, command);
    writer.end_object();
  }
  writer.end_array();
}

template <class Info>
std::string object_of(const Info& info) {
  std::string out;
  JsonWriter writer(out);
  writer.begin_object();
  write_fields(writer, info);
  writer.end_object();
  return out;
}

}  // namespace

std::string_view to_string(DetachReason reason) {
  switch (reason) {
    case DetachReason::requested:
      return "requested";
    case DetachReason::takeover:
      return "takeover";
    case DetachReason::closed:
      return "closed";
  }
  return "closed";
}

std::string welcome(const Welcome& welcome) {
  std::string out;
  JsonWriter writer = begin_data(out, "welcome", std::nullopt);
  writer.field("version", welcome.version)
      .field("protocol", kProtocol)
      .field("user", welcome.user)
      .field("session", welcome.session)
      .field("access", welcome.access)
      .field("bounds", welcome.bounds);
  end(writer);
  return out;
}

std::string to_json(const TerminalInfo& terminal) {
  return object_of(terminal);
}

std::string to_json(const SessionInfo& session) {
  return object_of(session);
}

std::string to_json(const ShellCommands& commands) {
  return object_of(commands);
}

std::string terminals(const Answers& request, std::span<const TerminalInfo> terminals) {
  std::string out;
  JsonWriter writer = begin_data(out, "terminals", request);
  writer.begin_array("terminals");
  for (const TerminalInfo& terminal : terminals) {
    writer.begin_object();
    write_fields(writer, terminal);
    writer.end_object();
  }
  writer.end_array();
  end(writer);
  return out;
}

std::string created(const Answers& request, const TerminalInfo& terminal) {
  std::string out;
  JsonWriter writer = begin_data(out, "created", request);
  writer.begin_object("terminal");
  write_fields(writer, terminal);
  writer.end_object();
  end(writer);
  return out;
}

std::string restorable(const TerminalInfo& terminal) {
  std::string out;
  JsonWriter writer = begin_data(out, "restorable", std::nullopt);
  writer.begin_object("terminal");
  write_fields(writer, terminal);
  writer.end_object();
  end(writer);
  return out;
}

std::string sent(const Answers& request, std::string_view terminal_id, std::uint64_t offset) {
  std::string out;
  JsonWriter writer = begin_data(out, "sent", request);
  writer.field("terminalId", terminal_id).field("offset", offset);
  end(writer);
  return out;
}

std::string leased(const Answers& request, std::string_view terminal_id, std::string_view lease,
                   std::string_view holder, base::WallTime expires_at) {
  std::string out;
  JsonWriter writer = begin_data(out, "leased", request);
  writer.field("terminalId", terminal_id)
      .field("lease", lease)
      .field("holder", holder)
      .field("expiresAt", base::utc_milliseconds(expires_at));
  end(writer);
  return out;
}

std::string released(const Answers& request, std::string_view terminal_id, std::string_view lease) {
  std::string out;
  JsonWriter writer = begin_data(out, "released", request);
  writer.field("terminalId", terminal_id).field("lease", lease);
  end(writer);
  return out;
}

std::string commands_of(const Answers& request, std::string_view terminal_id,
                        const ShellCommands& commands) {
  std::string out;
  JsonWriter writer = begin_data(out, "commands_of", request);
  writer.field("terminalId", terminal_id);
  write_fields(writer, commands);
  end(writer);
  return out;
}

std::string command_output(const Answers& request, std::string_view terminal_id,
                           std::uint64_t start, std::string_view text, std::uint64_t missing) {
  std::string out;
  JsonWriter writer = begin_data(out, "command_output", request);
  writer.field("terminalId", terminal_id)
      .field("start", start)
      .field("text", text)
      .field("missing", missing);
  end(writer);
  return out;
}

std::string marked(std::uint32_t channel, std::uint64_t offset, const ShellCommand& command) {
  std::string out;
  JsonWriter writer = begin_data(out, "marked", std::nullopt);
  writer.field("channel", channel).field("offset", offset).begin_object("command");
  write_fields(writer, command);
  writer.end_object();
  end(writer);
  return out;
}

std::string renamed(const Answers& request, std::string_view terminal_id, std::string_view name) {
  std::string out;
  JsonWriter writer = begin_data(out, "renamed", request);
  writer.field("terminalId", terminal_id).field("name", name);
  end(writer);
  return out;
}

std::string reordered(const Answers& request, std::span<const std::string> terminal_ids) {
  std::string out;
  JsonWriter writer = begin_data(out, "reordered", request);
  writer.begin_array("terminalIds");
  for (const std::string& id : terminal_ids) writer.element(id);
  writer.end_array();
  end(writer);
  return out;
}

std::string closed(const Answers& request, std::string_view terminal_id, CloseReason reason,
                   std::optional<int> exit_code) {
  std::string out;
  JsonWriter writer = begin_data(out, "closed", request);
  writer.field("terminalId", terminal_id)
      .field("reason", to_string(reason))
      .field("exitCode", exit_code);
  end(writer);
  return out;
}

std::string exited(std::string_view terminal_id, int exit_code) {
  std::string out;
  JsonWriter writer = begin_data(out, "exited", std::nullopt);
  writer.field("terminalId", terminal_id).field("exitCode", exit_code);
  end(writer);
  return out;
}

std::string attached(const Answers& request, const Attached& attached) {
  std::string out;
  JsonWriter writer = begin_data(out, "attached", request);
  writer.field("terminalId", attached.terminal_id)
      .field("channel", attached.channel)
      .field("offset", attached.offset)
      .field("rows", attached.rows)
      .field("cols", attached.cols)
      .field("role", to_string(attached.role))
      .field("lossless", attached.lossless)
      .field("window", attached.window)
      .field("resumed", attached.resumed);
  if (attached.hidden) writer.field("hidden", true);
  writer.field("status", to_string(attached.status))
      .field("exitCode", attached.exit_code)
      .field("workingDirectory", attached.working_directory)
      .field("title", attached.title);
  end(writer);
  return out;
}

std::string detached(const Answers& request, std::uint32_t channel, std::string_view terminal_id,
                     DetachReason reason) {
  std::string out;
  JsonWriter writer = begin_data(out, "detached", request);
  writer.field("channel", channel)
      .field("terminalId", terminal_id)
      .field("reason", to_string(reason));
  end(writer);
  return out;
}

std::string resized(std::uint32_t channel, std::uint16_t rows, std::uint16_t cols,
                    std::uint64_t offset) {
  std::string out;
  JsonWriter writer = begin_data(out, "resized", std::nullopt);
  writer.field("channel", channel).field("rows", rows).field("cols", cols).field("offset", offset);
  end(writer);
  return out;
}

std::string activity(std::uint32_t channel, std::uint64_t offset, bool bell,
                     const std::optional<std::string>& title) {
  std::string out;
  JsonWriter writer = begin_data(out, "activity", {});
  writer.field("channel", channel).field("offset", offset);
  if (bell) writer.field("bell", true);
  writer.field("title", title);
  end(writer);
  return out;
}

std::string role(const Answers& request, std::uint32_t channel, Role role) {
  std::string out;
  JsonWriter writer = begin_data(out, "role", request);
  writer.field("channel", channel).field("role", to_string(role));
  end(writer);
  return out;
}

std::string sessions(const Answers& request, std::span<const SessionInfo> sessions) {
  std::string out;
  JsonWriter writer = begin_data(out, "sessions", request);
  writer.begin_array("sessions");
  for (const SessionInfo& session : sessions) {
    writer.begin_object();
    write_fields(writer, session);
    writer.end_object();
  }
  writer.end_array();
  end(writer);
  return out;
}

std::string session_created(const Answers& request, const SessionInfo& session) {
  std::string out;
  JsonWriter writer = begin_data(out, "session_created", request);
  writer.begin_object("session");
  write_fields(writer, session);
  writer.end_object();
  end(writer);
  return out;
}

std::string session_renamed(const Answers& request, std::string_view name,
                            std::string_view new_name) {
  std::string out;
  JsonWriter writer = begin_data(out, "session_renamed", request);
  writer.field("name", name).field("newName", new_name);
  end(writer);
  return out;
}

std::string session_closed(const Answers& request, std::string_view name) {
  std::string out;
  JsonWriter writer = begin_data(out, "session_closed", request);
  writer.field("name", name);
  end(writer);
  return out;
}

std::string preferences(const Answers& request, const std::optional<std::string>& session,
                        std::span<const Preference> preferences) {
  std::string out;
  JsonWriter writer = begin_data(out, "preferences", request);
  writer.field("session", session).begin_object("values");
  for (const Preference& preference : preferences) {
    writer.begin_object(preference.name).raw("value", preference.value.value_or("null"));
    writer.field("revision", preference.revision).end_object();
  }
  writer.end_object();
  end(writer);
  return out;
}

std::string preference_set(const Answers& request, const std::optional<std::string>& session,
                           const Preference& preference) {
  std::string out;
  JsonWriter writer = begin_data(out, "preference_set", request);
  writer.field("session", session)
      .field("name", preference.name)
      .raw("value", preference.value.value_or("null"))
      .field("revision", preference.revision);
  end(writer);
  return out;
}

std::string error(const Refusal& refusal) {
  std::string out;
  JsonWriter writer = begin_data(out, "error", refusal.request);
  writer.field("code", refusal.code).field("error", refusal.error);
  if (!refusal.details.empty()) writer.field("details", refusal.details);
  end(writer);
  return out;
}

std::string pong(const Answers& request) {
  std::string out;
  begin(out, "pong", request).end_object();
  return out;
}

}  // namespace wire::native
