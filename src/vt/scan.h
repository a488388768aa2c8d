// Finding the end of a run of bytes, sixteen at a time where the machine allows.

#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace vt
