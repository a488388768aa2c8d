// The single protocol (docs/protocol.md): one terminal per connection, so messages need no id.

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

#include "wire/compatible.h"

namespace wire::single {

struct Input {
  std::string data;
  friend bool operator==(const Input&, const Input&) = default;
};

struct Resize {
  std::optional<std::uint16_t> rows;
  std::optional<std::uint16_t> cols;
  friend bool operator==(const Resize&, const Resize&) = default;
};

struct Ping {
  friend bool operator==(const Ping&, const Ping&) = default;
};

using Request = std::variant<Input, Resize, Ping>;
using Refusal = compatible::Refusal;

// The types of messages that a client may send.
[[nodiscard]] std::vector<std::string_view> types();
// Ignores an id in a message.
[[nodiscard]] std::expected<Request, Refusal> parse(std::string_view text);

// A size in the URL, `?rows=24&cols=80`. None unless it is a number from 1 to 500.
[[nodiscard]] std::optional<std::uint16_t> parse_dimension(std::string_view text);

[[nodiscard]] std::string session(std::string_view session_id);
[[nodiscard]] std::string session_closed(std::string_view session_id, CloseReason reason,
                                         std::optional<int> exit_code);
[[nodiscard]] std::string error(const Refusal& refusal);
[[nodiscard]] std::string pong();

// Appends one whole message.
void append_output(std::string& out, std::span<const std::byte> bytes);

}  // namespace wire::single
