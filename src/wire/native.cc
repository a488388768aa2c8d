#include "wire/native.h"

#include <limits>
#include <unordered_set>

#include <boost/json/serialize.hpp>

#include "wire/json_text.h"
#include "wire/limits.h"
#include "wire/message.h"
#include "wire/native_fields.h"

namespace wire::native {
namespace {

namespace json = boost::json;
using Kind = Fault::Kind;

std::uint32_t channel(Message& message) {
  return static_cast<std::uint32_t>(
      message.number("channel", Need::required, 1, std::numeric_limits<std::uint32_t>::max())
          .value_or(0));
}

std::string terminal_id(Message& message) {
  return message.id("terminalId", Need::required).value_or("");
}

Operation parse_list(Message& message) {
  return List{.session = message.id("session", Need::optional)};
}

Operation parse_create(Message& message) {
  Create create{.terminal_id = message.id("terminalId", Need::optional),
                .session = message.id("session", Need::optional),
                .rows = message.rows(Need::optional),
                .cols = message.cols(Need::optional),
                .name = message.name("name", Need::optional),
                .work_dir = message.path("workDir"),
                .command = command(message),
                .env = env(message)};
  if (create.name && create.name->empty()) create.name.reset();
  return create;
}

Operation parse_restore(Message& message) {
  return Restore{.terminal_id = terminal_id(message),
                 .rows = message.rows(Need::optional),
                 .cols = message.cols(Need::optional)};
}

Operation parse_attach(Message& message) {
  return Attach{.terminal_id = terminal_id(message),
                .rows = message.rows(Need::optional),
                .cols = message.cols(Need::optional),
                .since = message.offset("since"),
                .role = role(message, Need::optional).value_or(Role::control),
                .lossless = message.flag("lossless"),
                .window = window(message),
                .takeover = message.flag("takeover")};
}

Operation parse_detach(Message& message) {
  return Detach{.channel = channel(message)};
}

Operation parse_resize(Message& message) {
  return Resize{.channel = channel(message),
                .rows = message.rows(Need::required).value_or(0),
                .cols = message.cols(Need::required).value_or(0)};
}

Operation parse_focus(Message& message) {
  return Focus{.channel = channel(message)};
}

Operation parse_role(Message& message) {
  return ChangeRole{.channel = channel(message),
                    .role = role(message, Need::required).value_or(Role::control)};
}

Operation parse_theme(Message& message) {
  return Theme{.foreground = colour(message, "foreground"),
               .background = colour(message, "background"),
               .cursor = colour(message, "cursor"),
               .palette = palette(message)};
}

Operation parse_rename(Message& message) {
  return Rename{.terminal_id = terminal_id(message),
                .name = message.name("name", Need::required).value_or("")};
}

Operation parse_reorder(Message& message) {
  Reorder reorder;
  const json::array* const entries = list(message, "terminalIds", kMaxReordered);
  if (entries == nullptr) {
    message.fail(Kind::invalid_field, "terminalIds is missing");
    return reorder;
  }
  std::unordered_set<std::string> seen;
  for (const json::value& entry : *entries) {
    auto id = message.id_of("terminalIds", entry);
    if (!id) return reorder;
    if (!seen.insert(*id).second)
      message.fail(Kind::invalid_field, "terminalIds has " + excerpt(*id) + " twice");
    reorder.terminal_ids.push_back(*std::move(id));
  }
  return reorder;
}

Operation parse_close(Message& message) {
  return Close{.terminal_id = terminal_id(message)};
}

Operation parse_ping(Message&) {
  return Ping{};
}

Operation parse_sessions(Message&) {
  return ListSessions{};
}

std::string session_name(Message& message, std::string_view key) {
  return message.id(key, Need::required).value_or("");
}

Operation parse_session_create(Message& message) {
  return CreateSession{.name = session_name(message, "name"),
                       .kind = session_kind(message),
                       .work_dir = message.path("workDir"),
                       .isolation = isolation(message)};
}

Operation parse_session_rename(Message& message) {
  return RenameSession{.name = session_name(message, "name"),
                       .new_name = session_name(message, "newName")};
}

Operation parse_session_close(Message& message) {
  return CloseSession{.name = session_name(message, "name")};
}

Operation parse_session_switch(Message& message) {
  return SwitchSession{.from = session_name(message, "from"), .to = session_name(message, "to")};
}

Operation parse_commands(Message& message) {
  return ListCommands{.session = session_name(message, "session")};
}

Operation parse_run(Message& message) {
  return Run{.session = session_name(message, "session"),
             .line = message.text("line", Need::required).value_or("")};
}

Operation parse_tools(Message& message) {
  return ListTools{.session = session_name(message, "session")};
}

json::value any_value(const Message& message, std::string_view key) {
  const json::value* const value = message.data(key);
  return value == nullptr ? json::value() : *value;
}

Operation parse_tool(Message& message) {
  return CallTool{.session = session_name(message, "session"),
                  .name = message.text("name", Need::required).value_or(""),
                  .arguments = any_value(message, "arguments")};
}

Operation parse_ui_answer(Message& message) {
  return AnswerQuestion{.id = message.id("id", Need::required).value_or(""),
                        .value = any_value(message, "value")};
}

Operation parse_resources(Message& message) {
  return ListResources{.session = session_name(message, "session")};
}

Operation parse_resource_close(Message& message) {
  return CloseResource{.session = session_name(message, "session"),
                       .extension = message.text("extension", Need::required).value_or(""),
                       .key = message.text("key", Need::required).value_or("")};
}

std::optional<RequestId> request_id_of(Message& message, const json::value* value);

Operation parse_cancel(Message& message) {
  const json::value* const which = message.data("request");
  if (which == nullptr) message.fail(Kind::invalid_field, "request is missing");
  return Cancel{.which = request_id_of(message, which).value_or(RequestId{})};
}

struct Type {
  std::string_view name;
  Operation (*parse)(Message& message);
};

constexpr std::array kTypes{
    Type{"resize", parse_resize},
    Type{"focus", parse_focus},
    Type{"list", parse_list},
    Type{"create", parse_create},
    Type{"attach", parse_attach},
    Type{"restore", parse_restore},
    Type{"detach", parse_detach},
    Type{"role", parse_role},
    Type{"theme", parse_theme},
    Type{"rename", parse_rename},
    Type{"close", parse_close},
    Type{"reorder", parse_reorder},
    Type{"ping", parse_ping},
    Type{"sessions", parse_sessions},
    Type{"session_create", parse_session_create},
    Type{"session_rename", parse_session_rename},
    Type{"session_close", parse_session_close},
    Type{"session_switch", parse_session_switch},
    Type{"commands", parse_commands},
    Type{"run", parse_run},
    Type{"tools", parse_tools},
    Type{"tool", parse_tool},
    Type{"cancel", parse_cancel},
    Type{"ui_answer", parse_ui_answer},
    Type{"resources", parse_resources},
    Type{"resource_close", parse_resource_close},
};

Operation parse_type(Message& message) {
  for (const Type& type : kTypes)
    if (type.name == message.type()) return type.parse(message);
  message.unknown_type();
  return Ping{};
}

std::optional<RequestId> request_id_of(Message& message, const json::value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_int64() || value->is_uint64()) return RequestId{json::serialize(*value)};
  const json::string* const text = value->if_string();
  if (text == nullptr || text->size() > kMaxRequestId) {
    message.fail(Kind::not_a_message, "request must be an integer or a string of at most " +
                                          std::to_string(kMaxRequestId) + " bytes");
    return std::nullopt;
  }
  RequestId id;
  append_json_string(id.json, view(*text));
  return id;
}

std::optional<RequestId> request_id(Message& message) {
  return request_id_of(message, message.top("request"));
}

std::string_view code_of(Kind kind) {
  switch (kind) {
    case Kind::malformed_json:
    case Kind::not_a_message:
      return kMalformed;
    case Kind::unknown_type:
      return code_name(base::Code::unsupported);
    case Kind::invalid_field:
    case Kind::invalid_id:
    case Kind::invalid_name:
      return code_name(base::Code::invalid_argument);
  }
  return kMalformed;
}

std::string error_of(Kind kind) {
  switch (kind) {
    case Kind::malformed_json:
      return "the message is not JSON";
    case Kind::not_a_message:
      return "this is not a message";
    case Kind::unknown_type:
      return "unknown message type";
    case Kind::invalid_field:
      return "invalid field";
    case Kind::invalid_id:
      return "invalid id";
    case Kind::invalid_name:
      return "invalid name";
  }
  return "this is not a message";
}

}  // namespace

std::vector<std::string_view> types() {
  std::vector<std::string_view> names;
  for (const Type& type : kTypes) names.push_back(type.name);
  return names;
}

std::string_view to_string(Role role) {
  return role == Role::control ? "control" : "view";
}

std::string_view to_string(SessionKind kind) {
  return kind == SessionKind::interactive ? "interactive" : "background";
}

std::string_view code_name(base::Code code) {
  switch (code) {
    case base::Code::invalid_argument:
      return "invalid_argument";
    case base::Code::not_found:
      return "not_found";
    case base::Code::already_exists:
      return "already_exists";
    case base::Code::permission_denied:
      return "permission_denied";
    case base::Code::busy:
      return "busy";
    case base::Code::unavailable:
      return "unavailable";
    case base::Code::corrupt:
      return "corrupt";
    case base::Code::too_large:
      return "too_large";
    case base::Code::timed_out:
      return "timed_out";
    case base::Code::unsupported:
      return "unsupported";
    case base::Code::io:
      return "io";
    case base::Code::cancelled:
      return "cancelled";
  }
  return "io";
}

Refusal refusal(const base::Error& error, std::optional<RequestId> request) {
  return Refusal{.code = std::string(code_name(error.code)),
                 .error = error.what,
                 .details = error.advice,
                 .request = std::move(request)};
}

std::expected<Request, Refusal> parse(std::string_view text) {
  Message message(text);
  Request request;
  request.id = request_id(message);
  if (!message.fault()) request.operation = parse_type(message);
  if (const auto& fault = message.fault())
    return std::unexpected(Refusal{.code = std::string(code_of(fault->kind)),
                                   .error = error_of(fault->kind),
                                   .details = fault->details,
                                   .request = std::move(request.id)});
  return request;
}

}  // namespace wire::native
