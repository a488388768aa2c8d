#include "wire/single.h"

#include <array>
#include <charconv>

#include "wire/compatible_parse.h"
#include "wire/json_writer.h"
#include "wire/limits.h"
#include "wire/message.h"

namespace wire::single {
namespace {

Request input(Message& message) {
  return Input{.data = message.text("data", Need::required).value_or("")};
}

Request resize(Message& message) {
  return Resize{.rows = message.rows_or_nothing(), .cols = message.cols_or_nothing()};
}

Request ping(Message&) {
  return Ping{};
}

struct Type {
  std::string_view name;
  Request (*parse)(Message& message);
};

constexpr std::array kTypes{Type{"input", input}, Type{"resize", resize}, Type{"ping", ping}};

Request parse_type(Message& message) {
  for (const Type& type : kTypes)
    if (type.name == message.type()) return type.parse(message);
  message.unknown_type();
  return Ping{};
}

}  // namespace

std::vector<std::string_view> types() {
  std::vector<std::string_view> names;
  for (const Type& type : kTypes) names.push_back(type.name);
  return names;
}

std::expected<Request, Refusal> parse(std::string_view text) {
  Message message(text);
  std::optional<Request> request;
  if (!message.fault()) request = parse_type(message);
  if (const auto& fault = message.fault())
    return std::unexpected(Refusal{.error = std::string(compatible::error_text(fault->kind)),
                                   .details = fault->details,
                                   .session_id = std::nullopt});
  return *std::move(request);
}

std::optional<std::uint16_t> parse_dimension(std::string_view text) {
  static_assert(kMaxRows == kMaxCols);
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < 1 || number > kMaxRows) return std::nullopt;
  return number;
}

std::string session(std::string_view session_id) {
  std::string out;
  JsonWriter(out)
      .begin_object()
      .field("type", "session")
      .field("sessionId", session_id)
      .begin_object("data")
      .field("sessionId", session_id)
      .end_object()
      .end_object();
  return out;
}

std::string session_closed(std::string_view session_id, CloseReason reason,
                           std::optional<int> exit_code) {
  return compatible::session_closed(session_id, reason, exit_code);
}

std::string error(const Refusal& refusal) {
  return compatible::error(
      {.error = refusal.error, .details = refusal.details, .session_id = std::nullopt});
}

std::string pong() {
  return compatible::pong(std::nullopt);
}

void append_output(std::string& out, std::span<const std::byte> bytes) {
  JsonWriter(out)
      .begin_object()
      .field("type", "output")
      .begin_object("data")
      .field("data", bytes)
      .end_object()
      .end_object();
}

}  // namespace wire::single
