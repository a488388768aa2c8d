// Counts the frames (RFC 6455, section 5.2) that a WebSocket client sends, by their headers alone.
// Beast reads on until a message is complete, however many empty frames it has, so nothing else
// would notice them.
//
// Some clients send a large message in many fragments. Fragments of 1 KiB or more do not count: the
// limit on the message size bounds their number.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace http {

class FrameCounter {
 public:
  static constexpr std::uint64_t kLargePart = 1024;

  // The number of counted frame headers that end in these bytes, which continue the stream.
  [[nodiscard]] std::size_t count(std::span<const std::uint8_t> bytes) {
    std::size_t frames = 0;
    while (!bytes.empty()) {
      const auto passed = static_cast<std::size_t>(std::min<std::uint64_t>(rest_, bytes.size()));
      rest_ -= passed;
      bytes = bytes.subspan(passed);
      if (bytes.empty()) break;
      header_.at(size_++) = bytes.front();
      bytes = bytes.subspan(1);
      if (size_ < 2 || size_ < header_size()) continue;
      const std::uint64_t length = payload_length();
      const std::uint64_t mask = (header_[1] & 0x80) != 0 ? 4 : 0;
      rest_ = std::min(length, UINT64_MAX - mask) + mask;
      size_ = 0;
      const bool is_part = (header_[0] & 0x0f) == 0;
      if (!is_part || length < kLargePart) ++frames;
    }
    return frames;
  }

 private:
  [[nodiscard]] std::size_t header_size() const {
    const int length = header_[1] & 0x7f;
    return length == 127 ? 10 : length == 126 ? 4 : 2;
  }
  [[nodiscard]] std::uint64_t payload_length() const {
    const std::size_t size = header_size();
    std::uint64_t length = size == 2 ? header_[1] & 0x7f : 0;
    for (std::size_t i = 2; i < size; ++i) length = length << 8 | header_.at(i);
    return length;
  }

  std::array<std::uint8_t, 10> header_{};
  std::size_t size_ = 0;    // Bytes of the header received so far.
  std::uint64_t rest_ = 0;  // Bytes of the frame still to skip.
};

}  // namespace http
