// The native protocol's text messages, docs/protocol.md: what the server says, encoded. An answer
// repeats the request's id; the same message without one tells the user's other connections.

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
  bool busy = false;                   // It is not the one that the terminal was made for.
  std::uint32_t viewers = 0;
  std::optional<int> exit_code;
};

struct SessionInfo {
  std::string name;
  SessionKind kind = SessionKind::interactive;
  std::uint32_t terminals = 0;
  base::WallTime created_at;
};

struct Attached {
  std::string terminal_id;
  std::uint32_t channel = 0;
  std::uint64_t offset =
      0;  // From which the channel's frames go on; a snapshot stands before them.
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
[[nodiscard]] std::string terminals(const Answers& request,
                                    std::span<const TerminalInfo> terminals);
[[nodiscard]] std::string created(const Answers& request, const TerminalInfo& terminal);
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
[[nodiscard]] std::string error(const Refusal& refusal);
[[nodiscard]] std::string pong(const Answers& request);

}  // namespace wire::native
