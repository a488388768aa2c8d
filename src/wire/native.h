// Parses the client's text messages of the native protocol (docs/protocol.md). The server's
// messages are in native_events.h, the binary frames in native_frame.h.

#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <boost/json/value.hpp>

#include "base/error.h"

namespace wire::native {

inline constexpr std::string_view kProtocol = "holdfast.v1";

// The client's id for its request, as JSON, to be repeated in the answer.
struct RequestId {
  std::string json;
  friend bool operator==(const RequestId&, const RequestId&) = default;
};

enum class Role { control, view };
[[nodiscard]] std::string_view to_string(Role role);

struct List {
  std::optional<std::string> session;  // Only this session's terminals.
  friend bool operator==(const List&, const List&) = default;
};

struct Create {
  std::optional<std::string> terminal_id;  // None: the server picks one.
  std::optional<std::string> session;
  std::optional<std::uint16_t> rows;
  std::optional<std::uint16_t> cols;
  std::optional<std::string> name;
  std::optional<std::string> work_dir;
  std::vector<std::string> command;  // Empty: the user's shell.
  std::vector<std::pair<std::string, std::string>> env;
  friend bool operator==(const Create&, const Create&) = default;
};

struct Restore {
  std::string terminal_id;
  std::optional<std::uint16_t> rows;  // None: the old size.
  std::optional<std::uint16_t> cols;
  friend bool operator==(const Restore&, const Restore&) = default;
};

struct Attach {
  std::string terminal_id;
  std::optional<std::uint16_t> rows;
  std::optional<std::uint16_t> cols;
  std::optional<std::uint64_t> since;
  Role role = Role::control;
  bool lossless = false;
  std::uint64_t window = 0;  // 0: no acknowledgements.
  bool takeover = false;
  friend bool operator==(const Attach&, const Attach&) = default;
};

struct Detach {
  std::uint32_t channel = 0;
  friend bool operator==(const Detach&, const Detach&) = default;
};

struct Resize {
  std::uint32_t channel = 0;
  std::uint16_t rows = 0;
  std::uint16_t cols = 0;
  friend bool operator==(const Resize&, const Resize&) = default;
};

struct Focus {
  std::uint32_t channel = 0;
  friend bool operator==(const Focus&, const Focus&) = default;
};

struct ChangeRole {
  std::uint32_t channel = 0;
  Role role = Role::control;
  friend bool operator==(const ChangeRole&, const ChangeRole&) = default;
};

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

// The colours that programs get when they query them.
struct Theme {
  std::optional<Colour> foreground;
  std::optional<Colour> background;
  std::optional<Colour> cursor;
  std::optional<std::array<Colour, 16>> palette;
  friend bool operator==(const Theme&, const Theme&) = default;
};

struct Rename {
  std::string terminal_id;
  std::string name;  // Empty: removes the name.
  friend bool operator==(const Rename&, const Rename&) = default;
};

struct Reorder {
  std::vector<std::string> terminal_ids;
  friend bool operator==(const Reorder&, const Reorder&) = default;
};

struct Close {
  std::string terminal_id;
  friend bool operator==(const Close&, const Close&) = default;
};

struct Ping {
  friend bool operator==(const Ping&, const Ping&) = default;
};

struct ListSessions {
  friend bool operator==(const ListSessions&, const ListSessions&) = default;
};

enum class SessionKind { interactive, background };
[[nodiscard]] std::string_view to_string(SessionKind kind);

enum class Isolation { thread, process };

struct CreateSession {
  std::string name;
  SessionKind kind = SessionKind::interactive;
  std::optional<std::string> work_dir;
  std::optional<Isolation> isolation;  // None: as configured.
  friend bool operator==(const CreateSession&, const CreateSession&) = default;
};

struct RenameSession {
  std::string name;
  std::string new_name;
  friend bool operator==(const RenameSession&, const RenameSession&) = default;
};

struct CloseSession {
  std::string name;
  friend bool operator==(const CloseSession&, const CloseSession&) = default;
};

struct SwitchSession {
  std::string from;
  std::string to;
  friend bool operator==(const SwitchSession&, const SwitchSession&) = default;
};

// From now on the connection shows this session: its commands, and what its extensions show and
// ask.
struct ListCommands {
  std::string session;
  friend bool operator==(const ListCommands&, const ListCommands&) = default;
};

struct Run {
  std::string session;
  std::string line;
  friend bool operator==(const Run&, const Run&) = default;
};

struct ListTools {
  std::string session;
  friend bool operator==(const ListTools&, const ListTools&) = default;
};

struct CallTool {
  std::string session;
  std::string name;
  boost::json::value arguments;
  friend bool operator==(const CallTool&, const CallTool&) = default;
};

// Cancels a `run` or `tool` by its request id.
struct Cancel {
  RequestId which;
  friend bool operator==(const Cancel&, const Cancel&) = default;
};

struct AnswerQuestion {
  std::string id;
  boost::json::value value;
  friend bool operator==(const AnswerQuestion&, const AnswerQuestion&) = default;
};

struct ListResources {
  std::string session;
  friend bool operator==(const ListResources&, const ListResources&) = default;
};

struct CloseResource {
  std::string session;
  std::string extension;
  std::string key;
  friend bool operator==(const CloseResource&, const CloseResource&) = default;
};

using Operation =
    std::variant<List, Create, Attach, Detach, Resize, Focus, ChangeRole, Theme, Rename, Reorder,
                 Close, Ping, ListSessions, CreateSession, RenameSession, CloseSession,
                 SwitchSession, ListCommands, Run, ListTools, CallTool, Cancel, AnswerQuestion,
                 ListResources, CloseResource, Restore>;

struct Request {
  std::optional<RequestId> id;
  Operation operation;
};

// Why a message was refused, ready to be sent as `error`.
struct Refusal {
  std::string code;
  std::string error;
  std::string details;
  std::optional<RequestId> request;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

inline constexpr std::string_view kMalformed = "malformed";
// The name of `code` on the wire, such as invalid_argument or not_found.
[[nodiscard]] std::string_view code_name(base::Code code);
[[nodiscard]] Refusal refusal(const base::Error& error, std::optional<RequestId> request);

// The types of messages that a client may send.
[[nodiscard]] std::vector<std::string_view> types();
[[nodiscard]] std::expected<Request, Refusal> parse(std::string_view text);

}  // namespace wire::native
