// The golden frames of the native protocol's messages about extensions.

#include "wire/native.h"
#include "wire/native_extension_events.h"
#include "wire/test_golden_native.h"

namespace wire::golden {
namespace {

using namespace native;

// --- a client's message, flat ---

struct Describe {
  json::object& out;

  void about(const char* type, const std::string& session) const {
    out["type"] = type;
    out["session"] = session;
  }
  void operator()(const SwitchSession& request) const {
    out = {{"type", "session_switch"}, {"from", request.from}, {"to", request.to}};
  }
  void operator()(const ListCommands& request) const { about("commands", request.session); }
  void operator()(const ListTools& request) const { about("tools", request.session); }
  void operator()(const ListResources& request) const { about("resources", request.session); }
  void operator()(const Run& request) const {
    about("run", request.session);
    out["line"] = request.line;
  }
  void operator()(const CallTool& request) const {
    about("tool", request.session);
    out["name"] = request.name;
    out["arguments"] = request.arguments;
  }
  void operator()(const Cancel& request) const {
    out = {{"type", "cancel"}, {"which", json::parse(request.which.json)}};
  }
  void operator()(const AnswerQuestion& request) const {
    out = {{"type", "ui_answer"}, {"id", request.id}, {"value", request.value}};
  }
  void operator()(const CloseResource& request) const {
    about("resource_close", request.session);
    out["extension"] = request.extension;
    out["key"] = request.key;
  }
  template <class Other>
  void operator()(const Other&) const {
    ADD_FAILURE() << "no case of this file";
  }
};

json::value describe(const Request& request) {
  return golden::describe(
      request, [](json::object& message, const auto& operation) { Describe{message}(operation); });
}

// --- a server's message, encoded ---

std::string encode_commands(const json::object& message) {
  std::vector<CommandInfo> infos;
  for (const json::value& each : message.at("commands").as_array()) {
    const json::object& fields = each.as_object();
    infos.push_back({.name = text(fields, "name"),
                     .extension = text(fields, "extension"),
                     .description = maybe_text(fields, "description")});
  }
  return commands(answers(message), text(message, "session"), infos);
}

std::string encode_tools(const json::object& message) {
  std::vector<ToolInfo> infos;
  for (const json::value& each : message.at("tools").as_array()) {
    const json::object& fields = each.as_object();
    const json::value* const parameters = fields.if_contains("parameters");
    infos.push_back({.name = text(fields, "name"),
                     .extension = text(fields, "extension"),
                     .description = maybe_text(fields, "description"),
                     .parameters = parameters == nullptr ? "null" : json::serialize(*parameters)});
  }
  return tools(answers(message), text(message, "session"), infos);
}

std::string encode_resources(const json::object& message) {
  std::vector<ResourceInfo> infos;
  for (const json::value& each : message.at("resources").as_array()) {
    const json::object& fields = each.as_object();
    infos.push_back({.extension = text(fields, "extension"),
                     .key = text(fields, "key"),
                     .state = text(fields, "state"),
                     .description = text(fields, "description"),
                     .pids = json::value_to<std::vector<std::int64_t>>(fields.at("pids")),
                     .created_at = time(fields, "createdAt")});
  }
  return resources(answers(message), text(message, "session"), infos);
}

std::string encode_question(const json::object& message) {
  Question question{.session = text(message, "session"),
                    .id = text(message, "id"),
                    .extension = text(message, "extension"),
                    .kind = text(message, "kind"),
                    .title = text(message, "title"),
                    .message = maybe_text(message, "message"),
                    .options = {},
                    .placeholder = maybe_text(message, "placeholder"),
                    .timeout_ms = number<std::int64_t>(message, "timeoutMs")};
  if (const json::value* options = message.if_contains("options"))
    question.options = json::value_to<std::vector<std::string>>(*options);
  return ui_request(question);
}

std::string encode_tool_result(const json::object& message) {
  return tool_result(answers(message),
                     json::serialize(json::object{{"content", message.at("content")},
                                                  {"details", message.at("details")}}));
}

std::string encode_shown(const json::object& message) {
  const std::string type = text(message, "type");
  const std::string session = text(message, "session");
  if (type == "notify") return notify(session, text(message, "level"), text(message, "text"));
  if (type == "ui_request") return encode_question(message);
  if (type == "ui_closed") return ui_closed(text(message, "id"));
  if (type == "status")
    return status(session, text(message, "key"),
                  message.at("text").is_null() ? std::nullopt : maybe_text(message, "text"));
  return "";
}

std::string encode(const json::object& message) {
  const std::string type = text(message, "type");
  if (type == "commands") return encode_commands(message);
  if (type == "tools") return encode_tools(message);
  if (type == "tool_result") return encode_tool_result(message);
  if (type == "resources") return encode_resources(message);
  if (type == "resource_closed")
    return resource_closed(answers(message), text(message, "session"), text(message, "extension"),
                           text(message, "key"));
  if (type == "session_switched")
    return session_switched(answers(message), text(message, "from"), text(message, "to"));
  if (type == "progress") return progress(*answers(message), text(message, "text"));
  if (type == "result")
    return result(answers(message), {.text = maybe_text(message, "text"),
                                     .error = maybe_text(message, "error"),
                                     .exit_code = maybe_number(message, "exitCode"),
                                     .session = maybe_text(message, "session")});
  if (type == "error")
    return error({.code = text(message, "code"),
                  .error = text(message, "error"),
                  .details = text(message, "details"),
                  .request = answers(message)});
  return encode_shown(message);
}

TEST(GoldenTest, NativeExtensions) {
  for (const char* const file : {"native_extensions.json", "native_tools.json"})
    expect_cases(
        file, [](const auto& message) { return encode(message); },
        [](const auto& request) { return describe(request); });
}

}  // namespace
}  // namespace wire::golden
