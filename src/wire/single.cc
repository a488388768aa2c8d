#include "wire/single.h"

#include <charconv>

#include "wire/compatible_parse.h"
#include "wire/json_writer.h"
#include "wire/limits.h"
#include "wire/message.h"

namespace wire::single {
namespace {

Request parse_type(Message& message) {
  if (message.type() == "input")
    return Input{.data = message.text("data", Need::required).value_or("")};
  if (message.type() == "resize")
    return Resize{.rows = message.rows_or_nothing(), .cols = message.cols_or_nothing()};
  if (message.type() != "ping") message.unknown_type();
  return Ping{};
}

}  // namespace

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
