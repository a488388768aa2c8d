// The native protocol's binary frames (docs/protocol.md): a header of 13 bytes, then a terminal's
// raw bytes.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "wire/native.h"

namespace wire::native {

enum class FrameKind : std::uint8_t {
  output = 1,    // server to client; offset: reached after the payload
  snapshot = 2,  // server to client; offset: the output it includes
  input = 3,     // client to server; offset: 0, ignored
  ack = 4,       // client to server; offset: output rendered so far; no payload
  paste = 5,     // client to server; offset: bytes of the paste that follow this piece
};

inline constexpr std::size_t kFrameHeaderSize = 13;

struct FrameHeader {
  FrameKind kind = FrameKind::output;
  std::uint32_t channel = 0;
  std::uint64_t offset = 0;
  friend bool operator==(const FrameHeader&, const FrameHeader&) = default;
};

struct Frame {
  FrameHeader header;
  std::span<const std::byte> payload;  // Points into the parsed message.
};

// Only the header, so that the payload can be written without copying it.
[[nodiscard]] std::array<std::byte, kFrameHeaderSize> encode_header(const FrameHeader& header);

// Accepts any frame of a known kind.
[[nodiscard]] std::expected<Frame, Refusal> parse_frame(std::span<const std::byte> message);
// Accepts what a client may send: input, ack or paste.
[[nodiscard]] std::expected<Frame, Refusal> parse_client_frame(std::span<const std::byte> message);

}  // namespace wire::native
