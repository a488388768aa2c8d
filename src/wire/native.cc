#include "wire/native.h"

#include "wire/native_fields.h"
#include "wire/native_types.h"

namespace wire::native {
namespace {

using Kind = Fault::Kind;

Operation parse_type(Message& message) {
  for (const auto& types : {terminal_types(), session_types(), agent_types()})
    for (const Type& type : types)
      if (type.name == message.type()) return type.parse(message);
  message.unknown_type();
  return Ping{};
}

std::optional<RequestId> request_id(Message& message) {
  return request_id_of(message, message.top("request"));
}

std::string_view code_of(Kind kind) {
  switch (kind) {
    case Kind::malformed_json:
    case Kind::not_a_message:
      return kMalformed;
    case Kind::unknown_type:
      return code_name(base::Code::unsupported);
    case Kind::invalid_field:
    case Kind::invalid_id:
    case Kind::invalid_name:
      return code_name(base::Code::invalid_argument);
  }
  return kMalformed;
}

std::string error_of(Kind kind) {
  switch (kind) {
    case Kind::malformed_json:
      return "the message is not JSON";
    case Kind::not_a_message:
      return "this is not a message";
    case Kind::unknown_type:
      return "unknown message type";
    case Kind::invalid_field:
      return "invalid field";
    case Kind::invalid_id:
      return "invalid id";
    case Kind::invalid_name:
      return "invalid name";
  }
  return "this is not a message";
}

}  // namespace

std::vector<std::string_view> types() {
  std::vector<std::string_view> names;
  for (const auto& types : {terminal_types(), session_types(), agent_types()})
    for (const Type& type : types) names.push_back(type.name);
  return names;
}

std::string_view to_string(Role role) {
  return role == Role::control ? "control" : "view";
}

std::string_view to_string(SessionKind kind) {
  return kind == SessionKind::interactive ? "interactive" : "background";
}

std::string_view code_name(base::Code code) {
  switch (code) {
    case base::Code::invalid_argument:
      return "invalid_argument";
    case base::Code::not_found:
      return "not_found";
    case base::Code::already_exists:
      return "already_exists";
    case base::Code::permission_denied:
      return "permission_denied";
    case base::Code::busy:
      return "busy";
    case base::Code::unavailable:
      return "unavailable";
    case base::Code::corrupt:
      return "corrupt";
    case base::Code::too_large:
      return "too_large";
    case base::Code::timed_out:
      return "timed_out";
    case base::Code::unsupported:
      return "unsupported";
    case base::Code::io:
      return "io";
    case base::Code::cancelled:
      return "cancelled";
    case base::Code::mismatch:
      return "mismatch";
  }
  return "io";
}

Refusal refusal(const base::Error& error, std::optional<RequestId> request) {
  return Refusal{.code = std::string(code_name(error.code)),
                 .error = error.what,
                 .details = error.advice,
                 .request = std::move(request)};
}

std::expected<Request, Refusal> parse(std::string_view text) {
  Message message(text);
  Request request;
  request.id = request_id(message);
  if (!message.fault()) request.operation = parse_type(message);
  if (const auto& fault = message.fault())
    return std::unexpected(Refusal{.code = std::string(code_of(fault->kind)),
                                   .error = error_of(fault->kind),
                                   .details = fault->details,
                                   .request = std::move(request.id)});
  return request;
}

}  // namespace wire::native
