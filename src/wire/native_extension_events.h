// Encodes the server's messages about extensions: commands, tools, resources, and what extensions
// show and ask.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "wire/json_writer.h"
#include "wire/native_events.h"

namespace wire::native {

struct CommandInfo {
  std::string name;
  std::string extension;  // Empty for built-in commands.
  std::optional<std::string> description;
};

struct ToolInfo {
  std::string name;
  std::string extension;
  std::optional<std::string> description;
  std::string parameters;  // JSON.
};

struct ResourceInfo {
  std::string extension;
  std::string key;
  std::string state;
  std::string description;
  std::vector<std::int64_t> pids;
  base::WallTime created_at;
};

struct Result {
  std::optional<std::string> text;
  std::optional<std::string> error;
  std::optional<int> exit_code;
  std::optional<std::string> session;  // The session to switch to.
};

struct Question {
  std::string session;
  std::string id;
  std::string extension;
  std::string kind;
  std::string title;
  std::optional<std::string> message;
  std::vector<std::string> options;
  std::optional<std::string> placeholder;
  std::int64_t timeout_ms = 0;
};

[[nodiscard]] std::string session_switched(const Answers& request, std::string_view from,
                                           std::string_view to);
[[nodiscard]] std::string commands(const Answers& request, std::string_view session,
                                   std::span<const CommandInfo> commands);
[[nodiscard]] std::string result(const Answers& request, const Result& result);
// Progress of the `run` or `tool` with that request id.
[[nodiscard]] std::string progress(const RequestId& which, std::string_view text);
// The field `tools`.
void write_tools(JsonWriter& writer, std::span<const ToolInfo> tools);
[[nodiscard]] std::string tools(const Answers& request, std::string_view session,
                                std::span<const ToolInfo> tools);
// `json` is an object with `content` and optionally `details`.
[[nodiscard]] std::string tool_result(const Answers& request, std::string_view json);
[[nodiscard]] std::string notify(std::string_view session, std::string_view level,
                                 std::string_view text);
[[nodiscard]] std::string ui_request(const Question& question);
[[nodiscard]] std::string ui_closed(std::string_view id);
[[nodiscard]] std::string status(std::string_view session, std::string_view key,
                                 const std::optional<std::string>& text);
[[nodiscard]] std::string resources(const Answers& request, std::string_view session,
                                    std::span<const ResourceInfo> resources);
[[nodiscard]] std::string resource_closed(const Answers& request, std::string_view session,
                                          std::string_view extension, std::string_view key);

}  // namespace wire::native
