#include "keeper_protocol/protocol.h"

#include <array>
#include <cstring>

namespace keeper {
namespace {

constexpr std::size_t kHeaderSize = 8;

// The error codes of the protocol, numbered from 1.
constexpr std::array kErrorCodes{
    base::Code::invalid_argument,  base::Code::not_found, base::Code::already_exists,
    base::Code::permission_denied, base::Code::busy,      base::Code::unavailable,
    base::Code::corrupt,           base::Code::too_large, base::Code::timed_out,
    base::Code::unsupported,       base::Code::io,
};

template <class T>
void append(std::vector<std::byte>& bytes, T value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

template <class T>
T load(std::span<const std::byte> bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

std::string_view to_string(Kind kind) {
  return kind == Kind::terminal ? "terminal" : "process";
}

std::string_view to_string(State state) {
  switch (state) {
    case State::starting:
      return "starting";
    case State::running:
      return "running";
    case State::exited:
      return "exited";
    case State::closing:
      return "closing";
  }
  return "unknown";
}

base::Result<Message> Message::decode(std::span<const std::byte> packet) {
  if (packet.size() < kHeaderSize)
    return base::fail(base::Code::corrupt, "the message is shorter than its header");
  const auto version = load<std::uint8_t>(packet);
  if (version != kProtocolVersion)
    return base::fail(base::Code::unsupported,
                      "the message has protocol version " + std::to_string(version) +
                          ", but this side needs version " + std::to_string(kProtocolVersion),
                      "Upgrade the older one of keeper and daemon.");
  Message message(static_cast<Tag>(load<std::uint16_t>(packet.subspan(2))),
                  load<std::uint32_t>(packet.subspan(4)));
  for (auto rest = packet.subspan(kHeaderSize); !rest.empty();) {
    if (rest.size() < kHeaderSize)
      return base::fail(base::Code::corrupt, "the message ends inside a field");
    const auto field = static_cast<Field>(load<std::uint16_t>(rest));
    const auto length = load<std::uint32_t>(rest.subspan(4));
    rest = rest.subspan(kHeaderSize);
    if (length > rest.size())
      return base::fail(base::Code::corrupt, "a field is longer than its message");
    message.fields_.emplace_back(field,
                                 std::string(reinterpret_cast<const char*>(rest.data()), length));
    rest = rest.subspan(length);
  }
  return message;
}

std::vector<std::byte> Message::encode() const {
  std::vector<std::byte> bytes;
  append(bytes, kProtocolVersion);
  append(bytes, std::uint8_t{0});
  append(bytes, static_cast<std::uint16_t>(tag_));
  append(bytes, request_);
  for (const auto& [field, value] : fields_) {
    append(bytes, static_cast<std::uint16_t>(field));
    append(bytes, std::uint16_t{0});
    append(bytes, static_cast<std::uint32_t>(value.size()));
    const auto* begin = reinterpret_cast<const std::byte*>(value.data());
    bytes.insert(bytes.end(), begin, begin + value.size());
  }
  return bytes;
}

Message& Message::add(Field field, std::uint64_t value) {
  fields_.emplace_back(field, std::string(reinterpret_cast<const char*>(&value), sizeof value));
  return *this;
}

Message& Message::add(Field field, std::string_view text) {
  fields_.emplace_back(field, text);
  return *this;
}

Message& Message::add(Field field, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) fields_.emplace_back(field, text);
  return *this;
}

std::vector<std::uint64_t> Message::numbers(Field field) const {
  std::vector<std::uint64_t> found;
  for (const auto& [name, value] : fields_)
    if (name == field && value.size() == sizeof(std::uint64_t))
      found.push_back(load<std::uint64_t>(std::as_bytes(std::span(value))));
  return found;
}

std::optional<std::uint64_t> Message::number(Field field) const {
  const auto found = numbers(field);
  if (found.empty()) return std::nullopt;
  return found.front();
}

std::uint64_t Message::number_or(Field field, std::uint64_t otherwise) const {
  return number(field).value_or(otherwise);
}

std::string Message::text(Field field) const {
  for (const auto& [name, value] : fields_)
    if (name == field) return value;
  return {};
}

std::vector<std::string> Message::texts(Field field) const {
  std::vector<std::string> found;
  for (const auto& [name, value] : fields_)
    if (name == field) found.push_back(value);
  return found;
}

Message error_message(std::uint32_t request, const base::Error& error) {
  std::uint64_t number = kErrorCodes.size();
  for (std::size_t i = 0; i < kErrorCodes.size(); ++i)
    if (kErrorCodes[i] == error.code) number = i + 1;
  Message message(Tag::error, request);
  message.add(Field::error_code, number)
      .add(Field::error_number, static_cast<std::uint64_t>(error.sys_errno))
      .add(Field::what, error.what)
      .add(Field::advice, error.advice);
  return message;
}

base::Error error_of(const Message& message) {
  const std::uint64_t number = message.number_or(Field::error_code, kErrorCodes.size());
  return {.code = number >= 1 && number <= kErrorCodes.size() ? kErrorCodes[number - 1]
                                                              : base::Code::io,
          .what = message.text(Field::what),
          .advice = message.text(Field::advice),
          .sys_errno = static_cast<int>(message.number_or(Field::error_number, 0))};
}

void add_exit(Message& message, const Exit& exit) {
  if (exit.signal != 0)
    message.add(Field::signal, static_cast<std::uint64_t>(exit.signal));
  else
    message.add(Field::code, static_cast<std::uint64_t>(exit.code));
}

Exit exit_of(const Message& message) {
  return {.code = static_cast<int>(message.number_or(Field::code, 0)),
          .signal = static_cast<int>(message.number_or(Field::signal, 0))};
}

}  // namespace keeper
