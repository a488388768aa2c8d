// Runs of plain ASCII between bytes and cells: the two loops that most of a terminal's output goes
// through.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "vt/cell.h"
#include "vt/scan.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace vt {

inline std::size_t printable_length(std::string_view text) {
  const auto* p = reinterpret_cast<const unsigned char*>(text.data());
  return printable_prefix(p, p + text.size());
}

inline void put_ascii(Cell* cells, std::string_view text, StyleId style) {
  std::size_t i = 0;
#if defined(__SSE2__)
  const __m128i zero = _mm_setzero_si128();
  const __m128i styles = _mm_set1_epi32(static_cast<int>(style));
  const auto store = [&](std::size_t at, __m128i low, __m128i high) {
    auto* out = reinterpret_cast<__m128i*>(cells + at);
    _mm_storeu_si128(out, low);
    _mm_storeu_si128(out + 1, high);
  };
  for (; i + 8 <= text.size(); i += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(text.data() + i));
    const __m128i words = _mm_unpacklo_epi8(bytes, zero);
    const __m128i first = _mm_unpacklo_epi16(words, zero);
    const __m128i second = _mm_unpackhi_epi16(words, zero);
    store(i, _mm_unpacklo_epi32(first, styles), _mm_unpackhi_epi32(first, styles));
    store(i + 4, _mm_unpacklo_epi32(second, styles), _mm_unpackhi_epi32(second, styles));
  }
#endif
  for (; i < text.size(); ++i) cells[i] = {static_cast<unsigned char>(text[i]), style};
}

// Appends the ASCII characters at the front of `cells` that share the first one's style; returns
// how many.
inline std::size_t take_ascii(std::span<const Cell> cells, std::string& out) {
  const StyleId style = cells.front().style;
  const auto is_ascii = [style](Cell cell) {
    return cell.bits - 0x20U < 0x5f && cell.style == style;
  };
  if (!is_ascii(cells.front())) return 0;
  std::size_t count = 0;
  char block[16];
  while (count < cells.size()) {
    std::size_t n = 0;
    while (n < sizeof(block) && count + n < cells.size() && is_ascii(cells[count + n])) {
      block[n] = static_cast<char>(cells[count + n].bits);
      ++n;
    }
    out.append(block, n);
    count += n;
    if (n < sizeof(block)) break;
  }
  return count;
}

}  // namespace vt
