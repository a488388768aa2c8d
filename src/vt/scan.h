// Finds the end of a run of bytes, sixteen at a time where the CPU allows.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>

#include <bit>
#endif

namespace vt {

// How many bytes from `p` on are printable ASCII, 0x20 to 0x7e.
inline std::size_t printable_prefix(const unsigned char* p, const unsigned char* end) {
  const unsigned char* const begin = p;
#if defined(__SSE2__)
  // Signed comparison: bytes from 0x80 on are negative, so they fail the first test.
  const __m128i below = _mm_set1_epi8(0x1f);
  const __m128i above = _mm_set1_epi8(0x7f);
  for (; end - p >= 16; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i good = _mm_and_si128(_mm_cmpgt_epi8(bytes, below), _mm_cmplt_epi8(bytes, above));
    const unsigned mask = static_cast<unsigned>(_mm_movemask_epi8(good));
    if (mask != 0xffff) return static_cast<std::size_t>(p - begin + std::countr_one(mask));
  }
#endif
  while (p < end && *p >= 0x20 && *p < 0x7f) ++p;
  return static_cast<std::size_t>(p - begin);
}

// How many of the sixteen bytes from `p` are digits, colons and semicolons, up to the first other
// byte.
inline std::size_t params_prefix(const unsigned char* p) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i good = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('0' - 1)),
                                     _mm_cmplt_epi8(bytes, _mm_set1_epi8(';' + 1)));
  return static_cast<std::size_t>(std::countr_one(static_cast<unsigned>(_mm_movemask_epi8(good))));
#else
  std::size_t length = 0;
  while (length < 16 && p[length] >= '0' && p[length] <= ';') ++length;
  return length;
#endif
}

// The first `length` of the sixteen bytes from `p` on, then zeros.
inline void copy_prefix(const unsigned char* p, std::size_t length, std::array<char, 16>& out) {
  std::uint64_t words[2];
  std::memcpy(words, p, sizeof words);
  const std::size_t first = std::min<std::size_t>(length, 8);
  // Shifting by all 64 bits is undefined, so shift in two steps.
  const auto keep = [](std::uint64_t word, std::size_t bytes) {
    return word & ~(~std::uint64_t{0} << (4 * bytes) << (4 * bytes));
  };
  words[0] = keep(words[0], first);
  words[1] = keep(words[1], length - first);
  std::memcpy(out.data(), words, sizeof words);
}

}  // namespace vt
