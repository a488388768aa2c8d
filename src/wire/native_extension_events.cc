#include "wire/native_extension_events.h"

#include "base/time_text.h"
#include "wire/native_envelope.h"

namespace wire::native {

std::string session_switched(const Answers& request, std::string_view from, std::string_view to) {
  std::string out;
  JsonWriter writer = begin_data(out, "session_switched", request);
  writer.field("from", from).field("to", to);
  end(writer);
  return out;
}

std::string commands(const Answers& request, std::string_view session,
                     std::span<const CommandInfo> commands) {
  std::string out;
  JsonWriter writer = begin_data(out, "commands", request);
  writer.field("session", session).begin_array("commands");
  for (const CommandInfo& command : commands)
    writer.begin_object()
        .field("name", command.name)
        .field("extension", command.extension)
        .field("description", command.description)
        .end_object();
  writer.end_array();
  end(writer);
  return out;
}

std::string result(const Answers& request, const Result& result) {
  std::string out;
  JsonWriter writer = begin_data(out, "result", request);
  writer.field("text", result.text)
      .field("error", result.error)
      .field("exitCode", result.exit_code)
      .field("session", result.session);
  end(writer);
  return out;
}

std::string progress(const RequestId& which, std::string_view text) {
  std::string out;
  JsonWriter writer = begin_data(out, "progress", std::nullopt);
  writer.raw("request", which.json).field("text", text);
  end(writer);
  return out;
}

void write_tools(JsonWriter& writer, std::span<const ToolInfo> tools) {
  writer.begin_array("tools");
  for (const ToolInfo& tool : tools) {
    writer.begin_object()
        .field("name", tool.name)
        .field("extension", tool.extension)
        .field("description", tool.description);
    if (tool.parameters != "null") writer.raw("parameters", tool.parameters);
    writer.end_object();
  }
  writer.end_array();
}

std::string tools(const Answers& request, std::string_view session,
                  std::span<const ToolInfo> tools) {
  std::string out;
  JsonWriter writer = begin_data(out, "tools", request);
  write_tools(writer.field("session", session), tools);
  end(writer);
  return out;
}

std::string tool_result(const Answers& request, std::string_view json) {
  std::string out;
  JsonWriter writer = begin(out, "tool_result", request);
  writer.raw("data", json).end_object();
  return out;
}

std::string notify(std::string_view session, std::string_view level, std::string_view text) {
  std::string out;
  JsonWriter writer = begin_data(out, "notify", std::nullopt);
  writer.field("session", session).field("level", level).field("text", text);
  end(writer);
  return out;
}

std::string ui_request(const Question& question) {
  std::string out;
  JsonWriter writer = begin_data(out, "ui_request", std::nullopt);
  writer.field("session", question.session)
      .field("id", question.id)
      .field("extension", question.extension)
      .field("kind", question.kind)
      .field("title", question.title)
      .field("message", question.message);
  if (!question.options.empty()) {
    writer.begin_array("options");
    for (const std::string& option : question.options) writer.element(option);
    writer.end_array();
  }
  writer.field("placeholder", question.placeholder).field("timeoutMs", question.timeout_ms);
  end(writer);
  return out;
}

std::string ui_closed(std::string_view id) {
  std::string out;
  JsonWriter writer = begin_data(out, "ui_closed", std::nullopt);
  writer.field("id", id);
  end(writer);
  return out;
}

std::string status(std::string_view session, std::string_view key,
                   const std::optional<std::string>& text) {
  std::string out;
  JsonWriter writer = begin_data(out, "status", std::nullopt);
  writer.field("session", session).field("key", key);
  if (text)
    writer.field("text", *text);
  else
    writer.raw("text", "null");
  end(writer);
  return out;
}

std::string resources(const Answers& request, std::string_view session,
                      std::span<const ResourceInfo> resources) {
  std::string out;
  JsonWriter writer = begin_data(out, "resources", request);
  writer.field("session", session).begin_array("resources");
  for (const ResourceInfo& resource : resources) {
    std::string pids;
    for (const std::int64_t pid : resource.pids)
      pids += (pids.empty() ? "" : ",") + std::to_string(pid);
    writer.begin_object()
        .field("extension", resource.extension)
        .field("key", resource.key)
        .field("state", resource.state)
        .field("description", resource.description)
        .raw("pids", "[" + pids + "]")
        .field("createdAt", base::utc_milliseconds(resource.created_at))
        .end_object();
  }
  writer.end_array();
  end(writer);
  return out;
}

std::string resource_closed(const Answers& request, std::string_view session,
                            std::string_view extension, std::string_view key) {
  std::string out;
  JsonWriter writer = begin_data(out, "resource_closed", request);
  writer.field("session", session).field("extension", extension).field("key", key);
  end(writer);
  return out;
}

}  // namespace wire::native
