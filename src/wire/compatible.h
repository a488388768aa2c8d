// The compatible protocol (docs/protocol.md): parses the client's messages and encodes the
// server's. This protocol calls a terminal a session. Ids are validated text.

#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "wire/status.h"

namespace wire::compatible {

// The texts of `error`. The first five come from the parser.
inline constexpr std::string_view kMalformedJson = "malformed JSON";
inline constexpr std::string_view kInvalidMessage = "invalid message";
inline constexpr std::string_view kUnknownType = "unknown message type";
inline constexpr std::string_view kInvalidSessionId = "invalid session id";
inline constexpr std::string_view kInvalidName = "invalid name";
inline constexpr std::string_view kSessionExists = "session already exists";
inline constexpr std::string_view kSessionNotFound = "session not found";
inline constexpr std::string_view kNotAuthorized = "not authorized";
inline constexpr std::string_view kSessionExited = "SESSION_EXITED";
inline constexpr std::string_view kSessionIdRequired = "session id required";
inline constexpr std::string_view kCannotCreate = "cannot create session";
inline constexpr std::string_view kInputRefused = "input refused";
inline constexpr std::string_view kTooManySessions = "too many sessions";
inline constexpr std::string_view kTooManyMessages = "too many messages";
inline constexpr std::string_view kUnavailable = "temporarily unavailable";

// Rows and columns that are missing or invalid read as none; then the server chooses. An empty name
// reads as none.

struct CreateSession {
  std::string session_id;
  std::optional<std::uint16_t> rows;
  std::optional<std::uint16_t> cols;
  std::optional<std::string> name;
  std::optional<std::string> work_dir;
  friend bool operator==(const CreateSession&, const CreateSession&) = default;
};

struct ListSessions {
  friend bool operator==(const ListSessions&, const ListSessions&) = default;
};

struct ReattachSession {
  std::string session_id;
  std::optional<std::uint16_t> rows;
  std::optional<std::uint16_t> cols;
  std::optional<std::uint64_t> since;
  bool takeover = false;
  friend bool operator==(const ReattachSession&, const ReattachSession&) = default;
};

struct Input {
  std::optional<std::string> session_id;
  std::string data;
  friend bool operator==(const Input&, const Input&) = default;
};

struct Resize {
  std::optional<std::string> session_id;
  std::optional<std::uint16_t> rows;
  std::optional<std::uint16_t> cols;
  friend bool operator==(const Resize&, const Resize&) = default;
};

struct RenameSession {
  std::string session_id;
  std::string name;  // Empty: removes the name.
  friend bool operator==(const RenameSession&, const RenameSession&) = default;
};

struct CloseSession {
  std::string session_id;
  friend bool operator==(const CloseSession&, const CloseSession&) = default;
};

struct Ping {
  std::optional<std::string> session_id;
  friend bool operator==(const Ping&, const Ping&) = default;
};

using Request = std::variant<CreateSession, ListSessions, ReattachSession, Input, Resize,
                             RenameSession, CloseSession, Ping>;

// Where an error names its terminal. Existing clients give up a terminal for good when an error
// names it at the top level.
enum class Naming { top, data };

// Why a message was refused, ready to be sent as `error`.
struct Refusal {
  std::string error;
  std::string details;
  std::optional<std::string> session_id;  // The terminal it was about, if known.
  Naming naming = Naming::top;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

// The types of messages that a client may send.
[[nodiscard]] std::vector<std::string_view> types();
[[nodiscard]] std::expected<Request, Refusal> parse(std::string_view text);

struct SessionInfo {
  std::string session_id;
  std::optional<std::string> name;
  Status status = Status::running;
  base::WallTime created_at;
  base::WallTime last_activity_at;
  std::optional<std::string> working_directory;
  std::optional<int> exit_code;
};

// Describes a terminal that the client created or reattached.
struct Opened {
  std::string session_id;
  std::optional<std::string> working_directory;
  std::optional<std::string> shell;
};

enum class Replay { snapshot, resumed };

[[nodiscard]] std::string session_created(const Opened& opened);
[[nodiscard]] std::string session_reattached(const Opened& opened);
[[nodiscard]] std::string session_list(std::span<const SessionInfo> sessions);
[[nodiscard]] std::string session_closed(std::string_view session_id, CloseReason reason,
                                         std::optional<int> exit_code);
[[nodiscard]] std::string session_renamed(std::string_view session_id, std::string_view name);
// Another viewer took over the terminal.
[[nodiscard]] std::string session_detached(std::string_view session_id);
[[nodiscard]] std::string error(const Refusal& refusal);
[[nodiscard]] std::string pong(const std::optional<std::string>& session_id);

// Both append one whole message. `offset` is the journal offset reached after `bytes`.
void append_scrollback(std::string& out, std::string_view session_id,
                       std::span<const std::byte> bytes, std::uint64_t offset, Replay replay);
void append_output(std::string& out, std::string_view session_id, std::span<const std::byte> bytes,
                   std::uint64_t offset);

}  // namespace wire::compatible
