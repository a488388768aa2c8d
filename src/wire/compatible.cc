#include "wire/compatible.h"

#include <array>

#include "base/id.h"
#include "wire/compatible_parse.h"
#include "wire/message.h"
#include "wire/utf8.h"

namespace wire::compatible {
namespace {

constexpr std::string_view kSessionId = "sessionId";

enum class Prefer : std::uint8_t { top, data };

// Clients put the id into either place.
std::optional<std::string> find_id(Message& message, Prefer prefer) {
  const auto* const top = message.top(kSessionId);
  const auto* const data = message.data(kSessionId);
  const auto* const first = prefer == Prefer::top ? top : data;
  const auto* const found = first != nullptr ? first : top != nullptr ? top : data;
  if (found == nullptr) return std::nullopt;
  return message.id_of(kSessionId, *found);
}

std::string need_id(Message& message) {
  auto id = find_id(message, Prefer::data);
  if (!id) message.fail(Fault::Kind::invalid_id, "sessionId is missing");
  return std::move(id).value_or("");
}

Request create_session(Message& message) {
  CreateSession request{.session_id = need_id(message),
                        .rows = message.rows_or_nothing(),
                        .cols = message.cols_or_nothing(),
                        .name = message.cleaned_name("name", Need::optional),
                        .work_dir = message.path("workDir")};
  if (request.name && request.name->empty()) request.name.reset();
  return request;
}

Request list_sessions(Message&) {
  return ListSessions{};
}

Request reattach_session(Message& message) {
  return ReattachSession{.session_id = need_id(message),
                         .rows = message.rows_or_nothing(),
                         .cols = message.cols_or_nothing(),
                         .since = message.offset("since"),
                         .takeover = message.flag("takeover")};
}

Request input(Message& message) {
  return Input{.session_id = find_id(message, Prefer::top),
               .data = message.text("data", Need::required).value_or("")};
}

Request resize(Message& message) {
  return Resize{.session_id = find_id(message, Prefer::top),
                .rows = message.rows_or_nothing(),
                .cols = message.cols_or_nothing()};
}

Request rename_session(Message& message) {
  return RenameSession{.session_id = need_id(message),
                       .name = message.cleaned_name("name", Need::required).value_or("")};
}

Request close_session(Message& message) {
  return CloseSession{.session_id = need_id(message)};
}

Request ping(Message& message) {
  return Ping{.session_id = find_id(message, Prefer::top)};
}

struct Type {
  std::string_view name;
  Request (*parse)(Message& message);
};

constexpr std::array kTypes{
    Type{"input", input},
    Type{"resize", resize},
    Type{"ping", ping},
    Type{"create_session", create_session},
    Type{"list_sessions", list_sessions},
    Type{"reattach_session", reattach_session},
    Type{"rename_session", rename_session},
    Type{"close_session", close_session},
};

Request parse_type(Message& message) {
  for (const Type& type : kTypes)
    if (type.name == message.type()) return type.parse(message);
  message.unknown_type();
  return ListSessions{};
}

// The terminal that a message was about, even if the message is invalid. It tells the client which
// request failed.
std::optional<std::string> id_as_given(const Message& message) {
  for (const auto* value : {message.data(kSessionId), message.top(kSessionId)}) {
    if (value == nullptr || !value->is_string()) continue;
    const auto& text = value->get_string();
    // Replace control characters: removing them could turn it into another terminal's id.
    const std::string clean = without_control_characters({text.data(), text.size()}, "\ufffd");
    return std::string(first_characters(clean, base::kMaxNameLength));
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string_view> types() {
  std::vector<std::string_view> names;
  for (const Type& type : kTypes) names.push_back(type.name);
  return names;
}

std::string_view error_text(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::malformed_json:
      return kMalformedJson;
    case Fault::Kind::unknown_type:
      return kUnknownType;
    case Fault::Kind::invalid_id:
      return kInvalidSessionId;
    case Fault::Kind::invalid_name:
      return kInvalidName;
    case Fault::Kind::not_a_message:
    case Fault::Kind::invalid_field:
      return kInvalidMessage;
  }
  return kInvalidMessage;
}

std::expected<Request, Refusal> parse(std::string_view text) {
  Message message(text);
  std::optional<Request> request;
  if (!message.fault()) request = parse_type(message);
  if (const auto& fault = message.fault())
    return std::unexpected(Refusal{.error = std::string(error_text(fault->kind)),
                                   .details = fault->details,
                                   .session_id = id_as_given(message)});
  return *std::move(request);
}

}  // namespace wire::compatible
