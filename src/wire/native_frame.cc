#include "wire/native_frame.h"

#include <algorithm>

namespace wire::native {
namespace {

template <class T>
void store(std::byte* to, T value) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    to[i] = static_cast<std::byte>(value >> (8 * i) & 0xff);
}

template <class T>
T load(const std::byte* from) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) value |= static_cast<T>(from[i]) << (8 * i);
  return value;
}

constexpr std::size_t kChannelAt = 1;
constexpr std::size_t kOffsetAt = 5;

std::unexpected<Refusal> refuse(std::string_view code, std::string error) {
  return std::unexpected(Refusal{.code = std::string(code),
                                 .error = std::move(error),
                                 .details = "",
                                 .request = std::nullopt});
}

std::string kind_number(FrameKind kind) {
  return std::to_string(static_cast<unsigned>(kind));
}

}  // namespace

std::array<std::byte, kFrameHeaderSize> encode_header(const FrameHeader& header) {
  std::array<std::byte, kFrameHeaderSize> bytes{};
  bytes[0] = static_cast<std::byte>(header.kind);
  store(bytes.data() + kChannelAt, header.channel);
  store(bytes.data() + kOffsetAt, header.offset);
  return bytes;
}

std::expected<Frame, Refusal> parse_frame(std::span<const std::byte> message) {
  if (message.size() < kFrameHeaderSize)
    return refuse(kMalformed, "a frame of " + std::to_string(message.size()) +
                                  " bytes is shorter than its header");
  const FrameHeader header{.kind = static_cast<FrameKind>(message[0]),
                           .channel = load<std::uint32_t>(message.data() + kChannelAt),
                           .offset = load<std::uint64_t>(message.data() + kOffsetAt)};
  if (header.kind < FrameKind::output || header.kind > FrameKind::paste)
    return refuse(code_name(base::Code::unsupported),
                  "unknown kind of frame: " + kind_number(header.kind));
  return Frame{.header = header, .payload = message.subspan(kFrameHeaderSize)};
}

std::expected<Frame, Refusal> parse_client_frame(std::span<const std::byte> message) {
  auto frame = parse_frame(message);
  if (!frame) return frame;
  if (frame->header.kind >= FrameKind::input) return frame;
  return refuse(code_name(base::Code::unsupported),
                "clients may not send frames of kind " + kind_number(frame->header.kind));
}

}  // namespace wire::native
