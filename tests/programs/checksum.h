// FNV-1a: a program that was typed into, and the test that typed, agree on what it was.

#pragma once

#include <cstdint>
#include <string_view>

namespace checksum {

inline constexpr std::uint64_t kStart = 0xcbf29ce484222325U;

inline std::uint64_t add(std::uint64_t sum, std::string_view bytes) {
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return sum;
}

}  // namespace checksum
