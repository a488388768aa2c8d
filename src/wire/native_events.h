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
#include "wire/native_state.h"
#include "wire/status.h"

namespace wire::native {

using Answers = std::optional<RequestId>;

enum class DetachReason { requested, takeover, closed };
[[nodiscard]] std::string_view to_string(DetachReason reason);

struct Welcome {
  std::string version;
  std::string user;
  std::string session;
  // What the credential allows, where that is not everything: "view", and "sessions" or
  // "terminals".
  std::optional<std::string> access{};
  std::optional<std::string> bounds{};
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
  std::optional<TerminalState> state{};  // None if it is not alive.
};

// A command that a terminal's shell ran. What is not known is none.
struct ShellCommand {
  std::optional<std::string> text;
  std::optional<std::string> directory;
  std::optional<std::uint64_t> start;  // Offsets: where its output begins, and where it ends.
  std::optional<std::uint64_t> end;
  std::optional<int> exit_code;
  std::optional<base::WallTime> started_at;
  std::optional<base::WallTime> ended_at;
};

struct ShellCommands {
  std::string_view state;  // Of the shell: "unknown", "prompt", "incomplete" or "running".
  std::vector<ShellCommand> commands;
};

struct SessionInfo {
  std::string name;
  SessionKind kind = SessionKind::interactive;
  std::uint32_t terminals = 0;
  std::uint32_t restorable = 0;  // Not included in `terminals`.
  base::WallTime created_at;
};

// A value that the user's pages keep.
struct Preference {
  std::string name;
  std::optional<std::string> value;  // JSON. None: it was removed.
  std::int64_t revision = 0;
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
  bool hidden = false;
  Status status = Status::running;
  std::optional<int> exit_code;
  std::optional<std::string> working_directory;
  std::optional<std::string> title;
};

[[nodiscard]] std::string welcome(const Welcome& welcome);
// The objects that describe them, in messages and in the HTTP API.
[[nodiscard]] std::string to_json(const TerminalInfo& terminal);
[[nodiscard]] std::string to_json(const SessionInfo& session);
[[nodiscard]] std::string to_json(const ShellCommands& commands);

[[nodiscard]] std::string terminals(const Answers& request,
                                    std::span<const TerminalInfo> terminals);
[[nodiscard]] std::string created(const Answers& request, const TerminalInfo& terminal);
// The terminal was lost just now.
[[nodiscard]] std::string restorable(const TerminalInfo& terminal);
[[nodiscard]] std::string sent(const Answers& request, std::string_view terminal_id,
                               std::uint64_t offset);
[[nodiscard]] std::string leased(const Answers& request, std::string_view terminal_id,
                                 std::string_view lease, std::string_view holder,
                                 base::WallTime expires_at);
[[nodiscard]] std::string released(const Answers& request, std::string_view terminal_id,
                                   std::string_view lease);
[[nodiscard]] std::string commands_of(const Answers& request, std::string_view terminal_id,
                                      const ShellCommands& commands);
// `text`: of the output that is still there; `missing`: how many bytes before it are not.
[[nodiscard]] std::string command_output(const Answers& request, std::string_view terminal_id,
                                         std::uint64_t start, std::string_view text,
                                         std::uint64_t missing);
// The command's output begins or ends there.
[[nodiscard]] std::string marked(std::uint32_t channel, std::uint64_t offset,
                                 const ShellCommand& command);
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
// What happened in a hidden terminal. `title`: the new one.
[[nodiscard]] std::string activity(std::uint32_t channel, std::uint64_t offset, bool bell,
                                   const std::optional<std::string>& title);
[[nodiscard]] std::string role(const Answers& request, std::uint32_t channel, Role role);
[[nodiscard]] std::string sessions(const Answers& request, std::span<const SessionInfo> sessions);
[[nodiscard]] std::string session_created(const Answers& request, const SessionInfo& session);
[[nodiscard]] std::string session_renamed(const Answers& request, std::string_view name,
                                          std::string_view new_name);
[[nodiscard]] std::string session_closed(const Answers& request, std::string_view name);
// Of a session, or the user's own.
[[nodiscard]] std::string preferences(const Answers& request,
                                      const std::optional<std::string>& session,
                                      std::span<const Preference> preferences);
[[nodiscard]] std::string preference_set(const Answers& request,
                                         const std::optional<std::string>& session,
                                         const Preference& preference);
[[nodiscard]] std::string error(const Refusal& refusal);
[[nodiscard]] std::string pong(const Answers& request);

}  // namespace wire::native
