// Encodes the server's text messages of the native protocol (docs/protocol.md). An answer repeats
// the request's id. Without an id, the same message is an event for the user's other connections.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "wire/native.h"
#include "wire/status.h"

namespace wire::native {

using Answers = std::optional<RequestId>;

enum class DetachReason { requested, takeover, closed };
[[nodiscard]] std::string_view to_string(DetachReason reason);

struct Welcome {
  std::string version;
  std::string user;
  std::string session;
};

struct TerminalInfo {
  std::string terminal_id;
  std::string session;
  std::optional<std::string> name;
  std::uint32_t order = 0;
  Status status = Status::running;
  std::uint16_t rows = 0;
  std::uint16_t cols = 0;
  base::WallTime created_at;
  base::WallTime last_activity_at;
  std::optional<std::string> working_directory;
  std::optional<std::string> title;
  std::vector<std::string> command;
  std::optional<std::string> process;  // The program in the foreground.
  bool busy = false;                   // It is not the program that the terminal was created with.
  std::uint32_t viewers = 0;
  std::optional<int> exit_code;
};

struct SessionInfo {
  std::string name;
  SessionKind kind = SessionKind::interactive;
  std::uint32_t terminals = 0;
  std::uint32_t restorable = 0;  // Not included in `terminals`.
  base::WallTime created_at;
};

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
  std::string kind;
  std::string title;
  std::optional<std::string> message;
  std::vector<std::string> options;
  std::optional<std::string> placeholder;
  std::int64_t timeout_ms = 0;
};

struct Attached {
  std::string terminal_id;
  std::uint32_t channel = 0;
  std::uint64_t offset = 0;  // Where the channel's output starts. A snapshot may come first.
  std::uint16_t rows = 0;
  std::uint16_t cols = 0;
  Role role = Role::control;
  bool lossless = false;
  std::uint64_t window = 0;
  bool resumed = false;
  Status status = Status::running;
  std::optional<int> exit_code;
  std::optional<std::string> working_directory;
  std::optional<std::string> title;
};

[[nodiscard]] std::string welcome(const Welcome& welcome);
// The objects that describe them, in messages and in the HTTP API.
[[nodiscard]] std::string to_json(const TerminalInfo& terminal);
[[nodiscard]] std::string to_json(const SessionInfo& session);

[[nodiscard]] std::string terminals(const Answers& request,
                                    std::span<const TerminalInfo> terminals);
[[nodiscard]] std::string created(const Answers& request, const TerminalInfo& terminal);
// The terminal was lost just now.
[[nodiscard]] std::string restorable(const TerminalInfo& terminal);
[[nodiscard]] std::string renamed(const Answers& request, std::string_view terminal_id,
                                  std::string_view name);
[[nodiscard]] std::string reordered(const Answers& request,
                                    std::span<const std::string> terminal_ids);
[[nodiscard]] std::string closed(const Answers& request, std::string_view terminal_id,
                                 CloseReason reason, std::optional<int> exit_code);
[[nodiscard]] std::string exited(std::string_view terminal_id, int exit_code);
[[nodiscard]] std::string attached(const Answers& request, const Attached& attached);
[[nodiscard]] std::string detached(const Answers& request, std::uint32_t channel,
                                   std::string_view terminal_id, DetachReason reason);
[[nodiscard]] std::string resized(std::uint32_t channel, std::uint16_t rows, std::uint16_t cols,
                                  std::uint64_t offset);
[[nodiscard]] std::string role(const Answers& request, std::uint32_t channel, Role role);
[[nodiscard]] std::string sessions(const Answers& request, std::span<const SessionInfo> sessions);
[[nodiscard]] std::string session_created(const Answers& request, const SessionInfo& session);
[[nodiscard]] std::string session_renamed(const Answers& request, std::string_view name,
                                          std::string_view new_name);
[[nodiscard]] std::string session_closed(const Answers& request, std::string_view name);
[[nodiscard]] std::string session_switched(const Answers& request, std::string_view from,
                                           std::string_view to);
[[nodiscard]] std::string commands(const Answers& request, std::string_view session,
                                   std::span<const CommandInfo> commands);
[[nodiscard]] std::string result(const Answers& request, const Result& result);
// Progress of the `run` or `tool` with that request id.
[[nodiscard]] std::string progress(const RequestId& which, std::string_view text);
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
[[nodiscard]] std::string error(const Refusal& refusal);
[[nodiscard]] std::string pong(const Answers& request);

}  // namespace wire::native
