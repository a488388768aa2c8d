// The golden text messages of the native protocol.

#include "wire/native.h"
#include "wire/native_events.h"
#include "wire/test_golden_native.h"
#include "wire/test_golden_output.h"
#include "wire/test_golden_preferences.h"

namespace wire::golden {
namespace {

using namespace native;

// --- a client's message, flat ---

json::value colour(const Colour& colour) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", colour.red, colour.green, colour.blue);
  return json::value(text);
}

struct Describe : DescribePreferences, DescribeOutput {
  using DescribePreferences::out;
  using DescribePreferences::operator();
  using DescribeOutput::operator();

  void operator()(const List& list) const {
    type("list");
    put(out, "session", list.session);
  }
  void operator()(const Create& create) const {
    type("create");
    put(out, "terminalId", create.terminal_id);
    put(out, "session", create.session);
    size(create.rows, create.cols);
    put(out, "name", create.name);
    put(out, "workDir", create.work_dir);
    if (!create.command.empty()) out["command"] = json::value_from(create.command);
    if (create.env.empty()) return;
    json::object& env = out["env"].emplace_object();
    for (const auto& [name, value] : create.env) env[name] = value;
  }
  void operator()(const Restore& restore) const {
    type("restore");
    out["terminalId"] = restore.terminal_id;
    size(restore.rows, restore.cols);
  }
  void operator()(const Attach& attach) const {
    type("attach");
    out["terminalId"] = attach.terminal_id;
    size(attach.rows, attach.cols);
    put(out, "since", attach.since);
    if (attach.role == Role::view) out["role"] = "view";
    if (attach.lossless) out["lossless"] = true;
    if (attach.window != 0) out["window"] = attach.window;
    if (attach.takeover) out["takeover"] = true;
    if (attach.hidden) out["hidden"] = true;
    if (attach.marks) out["marks"] = true;
  }
  void operator()(const Detach& detach) const { channel("detach", detach.channel); }
  void operator()(const Focus& focus) const { channel("focus", focus.channel); }
  void operator()(const Hide& hide) const { channel("hide", hide.channel); }
  void operator()(const Show& show) const { channel("show", show.channel); }
  void operator()(const Resize& resize) const {
    type("resize");
    out["channel"] = resize.channel;
    size(resize.rows, resize.cols);
  }
  void operator()(const ChangeRole& change) const {
    type("role");
    out["channel"] = change.channel;
    out["role"] = json::string_view(to_string(change.role));
  }
  void operator()(const Theme& theme) const {
    type("theme");
    if (theme.foreground) out["foreground"] = colour(*theme.foreground);
    if (theme.background) out["background"] = colour(*theme.background);
    if (theme.cursor) out["cursor"] = colour(*theme.cursor);
    if (!theme.palette) return;
    json::array& palette = out["palette"].emplace_array();
    for (const Colour& entry : *theme.palette) palette.push_back(colour(entry));
  }
  void operator()(const Rename& rename) const {
    type("rename");
    out["terminalId"] = rename.terminal_id;
    out["name"] = rename.name;
  }
  void operator()(const Send& send) const {
    type("send");
    out["terminalId"] = send.terminal_id;
    if (send.text) out["text"] = *send.text;
    if (send.paste) out["paste"] = *send.paste;
    if (!send.keys.empty()) out["keys"] = json::value_from(send.keys);
    if (send.enter) out["enter"] = true;
    if (send.idempotency_key) out["idempotencyKey"] = *send.idempotency_key;
    if (send.lease) out["lease"] = *send.lease;
    if (send.if_idle) out["ifIdle"] = *send.if_idle;
  }
  void operator()(const TakeLease& take) const {
    type("lease");
    out["terminalId"] = take.terminal_id;
    if (take.seconds) out["seconds"] = *take.seconds;
    if (take.holder) out["holder"] = *take.holder;
    if (take.lease) out["lease"] = *take.lease;
  }
  void operator()(const ReleaseLease& release) const {
    type("release");
    out["terminalId"] = release.terminal_id;
    out["lease"] = release.lease;
  }
  void operator()(const Reorder& reorder) const {
    type("reorder");
    out["terminalIds"] = json::value_from(reorder.terminal_ids);
  }
  void operator()(const Close& close) const {
    type("close");
    out["terminalId"] = close.terminal_id;
  }
  void operator()(const Ping&) const { type("ping"); }
  void operator()(const ListSessions&) const { type("sessions"); }
  void operator()(const CreateSession& create) const {
    type("session_create");
    out["name"] = create.name;
    if (create.kind == SessionKind::background) out["kind"] = "background";
    put(out, "workDir", create.work_dir);
    if (create.isolation)
      out["isolation"] = *create.isolation == Isolation::process ? "process" : "thread";
  }
  void operator()(const RenameSession& rename) const {
    type("session_rename");
    out["name"] = rename.name;
    out["newName"] = rename.new_name;
  }
  void operator()(const CloseSession& close) const {
    type("session_close");
    out["name"] = close.name;
  }
  // Those about extensions are in golden_extensions_test.cc.
  template <class Other>
  void operator()(const Other&) const {
    ADD_FAILURE() << "no case of this file";
  }

 private:
  void type(std::string_view name) const { out["type"] = json::string_view(name); }
  void channel(std::string_view name, std::uint32_t channel) const {
    type(name);
    out["channel"] = channel;
  }
  void size(std::optional<std::uint16_t> rows, std::optional<std::uint16_t> cols) const {
    put(out, "rows", rows);
    put(out, "cols", cols);
  }
};

json::value describe(const Request& request) {
  return golden::describe(request, [](json::object& message, const auto& operation) {
    Describe{{message}, {message}}(operation);
  });
}

// --- a server's message, encoded ---

template <class Reason>
Reason reason(const json::object& message, std::initializer_list<Reason> reasons) {
  for (const Reason candidate : reasons)
    if (to_string(candidate) == text(message, "reason")) return candidate;
  ADD_FAILURE() << "no reason: " << message;
  return {};
}

Status status(const json::object& message) {
  for (const Status candidate : {Status::running, Status::exited, Status::restorable})
    if (to_string(candidate) == text(message, "status")) return candidate;
  ADD_FAILURE() << "no status: " << message;
  return {};
}

TerminalInfo terminal(const json::value& value) {
  const json::object& fields = value.as_object();
  return {.terminal_id = text(fields, "terminalId"),
          .session = text(fields, "session"),
          .name = maybe_text(fields, "name"),
          .order = number<std::uint32_t>(fields, "order"),
          .status = status(fields),
          .rows = number<std::uint16_t>(fields, "rows"),
          .cols = number<std::uint16_t>(fields, "cols"),
          .created_at = time(fields, "createdAt"),
          .last_activity_at = time(fields, "lastActivityAt"),
          .working_directory = maybe_text(fields, "workingDirectory"),
          .title = maybe_text(fields, "title"),
          .command = texts(fields, "command"),
          .process = maybe_text(fields, "process"),
          .busy = fields.contains("busy"),
          .viewers = number<std::uint32_t>(fields, "viewers"),
          .exit_code = maybe_number(fields, "exitCode")};
}

SessionInfo session(const json::value& value) {
  const json::object& fields = value.as_object();
  return {
      .name = text(fields, "name"),
      .kind =
          text(fields, "kind") == "background" ? SessionKind::background : SessionKind::interactive,
      .terminals = number<std::uint32_t>(fields, "terminals"),
      .restorable = fields.contains("restorable") ? number<std::uint32_t>(fields, "restorable") : 0,
      .created_at = time(fields, "createdAt")};
}

std::string encode_about_session(const json::object& message) {
  const std::string type = text(message, "type");
  if (type == "session_created")
    return session_created(answers(message), session(message.at("session")));
  if (type == "session_renamed")
    return session_renamed(answers(message), text(message, "name"), text(message, "newName"));
  if (type == "session_closed") return session_closed(answers(message), text(message, "name"));
  if (type != "sessions") return "";
  std::vector<SessionInfo> infos;
  for (const json::value& value : message.at("sessions").as_array())
    infos.push_back(session(value));
  return sessions(answers(message), infos);
}

std::string encode_terminals(const json::object& message) {
  std::vector<TerminalInfo> infos;
  for (const json::value& value : message.at("terminals").as_array())
    infos.push_back(terminal(value));
  return terminals(answers(message), infos);
}

Role role_of(const json::object& message) {
  return text(message, "role") == "view" ? Role::view : Role::control;
}

std::string encode_attached(const json::object& message) {
  return attached(answers(message), {.terminal_id = text(message, "terminalId"),
                                     .channel = number<std::uint32_t>(message, "channel"),
                                     .offset = number<std::uint64_t>(message, "offset"),
                                     .rows = number<std::uint16_t>(message, "rows"),
                                     .cols = number<std::uint16_t>(message, "cols"),
                                     .role = role_of(message),
                                     .lossless = flag(message, "lossless"),
                                     .window = number<std::uint64_t>(message, "window"),
                                     .resumed = flag(message, "resumed"),
                                     .hidden = flag(message, "hidden"),
                                     .status = status(message),
                                     .exit_code = maybe_number(message, "exitCode"),
                                     .working_directory = maybe_text(message, "workingDirectory"),
                                     .title = maybe_text(message, "title")});
}

std::string encode_about_terminal(const json::object& message) {
  const std::string type = text(message, "type");
  const std::string id = text(message, "terminalId");
  if (type == "created") return created(answers(message), terminal(message.at("terminal")));
  if (type == "restorable") return restorable(terminal(message.at("terminal")));
  if (type == "sent")
    return sent(answers(message), id, static_cast<std::uint64_t>(number(message, "offset")));
  if (type == "leased")
    return leased(answers(message), id, text(message, "lease"), text(message, "holder"),
                  time(message, "expiresAt"));
  if (type == "released") return released(answers(message), id, text(message, "lease"));
  if (type == "renamed") return renamed(answers(message), id, text(message, "name"));
  if (type == "reordered") return reordered(answers(message), texts(message, "terminalIds"));
  if (type == "exited") return exited(id, number(message, "exitCode"));
  if (type == "closed")
    return closed(answers(message), id,
                  reason(message, {CloseReason::user_requested, CloseReason::process_exit,
                                   CloseReason::idle_timeout, CloseReason::error}),
                  maybe_number(message, "exitCode"));
  return "";
}

std::string encode(const json::object& message) {
  const std::string type = text(message, "type");
  const auto channel = number<std::uint32_t>(message, "channel");
  if (type == "welcome")
    return welcome({.version = text(message, "version"),
                    .user = text(message, "user"),
                    .session = text(message, "session"),
                    .access = maybe_text(message, "access"),
                    .bounds = maybe_text(message, "bounds")});
  if (type == "terminals") return encode_terminals(message);
  if (type == "preferences" || type == "preference_set")
    return encode_preferences(answers(message), message);
  if (type == "attached") return encode_attached(message);
  if (is_about_output(type)) return encode_output(message);
  if (type == "detached")
    return detached(
        answers(message), channel, text(message, "terminalId"),
        reason(message, {DetachReason::requested, DetachReason::takeover, DetachReason::closed}));
  if (type == "activity")
    return activity(channel, number<std::uint64_t>(message, "offset"), flag(message, "bell"),
                    maybe_text(message, "title"));
  if (type == "resized")
    return resized(channel, number<std::uint16_t>(message, "rows"),
                   number<std::uint16_t>(message, "cols"),
                   number<std::uint64_t>(message, "offset"));
  if (type == "role") return role(answers(message), channel, role_of(message));
  if (type == "error")
    return error({.code = text(message, "code"),
                  .error = text(message, "error"),
                  .details = text(message, "details"),
                  .request = answers(message)});
  if (type == "pong") return pong(answers(message));
  if (type.starts_with("session")) return encode_about_session(message);
  return encode_about_terminal(message);
}

TEST(GoldenTest, Native) {
  expect_cases(
      "native.json", [](const auto& message) { return encode(message); },
      [](const auto& request) { return describe(request); });
}

}  // namespace
}  // namespace wire::golden
