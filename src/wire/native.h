// Parses the client's text messages of the native protocol (docs/protocol.md). The server's
// messages are in native_events.h, the binary frames in native_frame.h.

#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "wire/native_agent_requests.h"
#include "wire/native_request_id.h"
#include "wire/native_session_requests.h"
#include "wire/native_terminal_requests.h"

namespace wire::native {

inline constexpr std::string_view kProtocol = "holdfast.v1";

using Operation =
    std::variant<List, Create, Attach, Detach, Resize, Focus, ChangeRole, Theme, Rename, Reorder,
                 Close, Ping, ListSessions, CreateSession, RenameSession, CloseSession,
                 SwitchSession, ListCommands, Run, ListTools, CallTool, Cancel, AnswerQuestion,
                 ListResources, CloseResource, ListPreferences, SetPreference, Restore, Send,
                 TakeLease, ReleaseLease, CommandsOf, Hide, Show, Search, CommandOutputOf,
                 ListNotices, ShowOverview, AttachAgent, TellAgentState, TellAgentEvent,
                 AnswerAgentCall, DetachAgent>;

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
