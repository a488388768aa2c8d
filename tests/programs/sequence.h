// A byte sequence without a period: every byte is known from its offset, so that one lost or
// doubled byte shows.

#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace sequence {

inline std::uint64_t block(std::uint64_t index) {
  std::uint64_t x = (index + 1) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

inline std::byte at(std::uint64_t offset) {
  return static_cast<std::byte>(block(offset / 8) >> (offset % 8 * 8));
}

// Fills `bytes` with the sequence from `offset` on; `offset` and the size are multiples of 8.
inline void fill(std::span<std::byte> bytes, std::uint64_t offset) {
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    const std::uint64_t value = block((offset + i) / 8);
    std::memcpy(bytes.data() + i, &value, 8);
  }
}

// The index of the first byte that is not the sequence's, or the size.
inline std::size_t mismatch(std::span<const std::byte> bytes, std::uint64_t offset) {
  std::size_t i = 0;
  while (i < bytes.size() && (offset + i) % 8 != 0) {
    if (bytes[i] != at(offset + i)) return i;
    ++i;
  }
  for (; i + 8 <= bytes.size(); i += 8) {
    const std::uint64_t expected = block((offset + i) / 8);
    if (std::memcmp(bytes.data() + i, &expected, 8) != 0) break;
  }
  while (i < bytes.size() && bytes[i] == at(offset + i)) ++i;
  return i;
}

}  // namespace sequence
