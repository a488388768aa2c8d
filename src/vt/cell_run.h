// Runs of plain ASCII between bytes and cells: the two loops that most output goes through.

#pragma once

#include <cstddef>
#include <span>
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

#if defined(__SSE2__)
inline void put_cells(Cell* cells, __m128i low, __m128i high) {
  auto* out = reinterpret_cast<__m128i*>(cells);
  _mm_storeu_si128(out, low);
  _mm_storeu_si128(out + 1, high);
}

// Eight characters; `words` holds each byte as 16 bits.
inline void put_eight(Cell* cells, __m128i words, __m128i styles) {
  const __m128i first = _mm_unpacklo_epi16(words, _mm_setzero_si128());
  const __m128i second = _mm_unpackhi_epi16(words, _mm_setzero_si128());
  put_cells(cells, _mm_unpacklo_epi32(first, styles), _mm_unpackhi_epi32(first, styles));
  put_cells(cells + 4, _mm_unpacklo_epi32(second, styles), _mm_unpackhi_epi32(second, styles));
}
#endif

// Writes ASCII into cells, and a copy to `copy` if that is set.
inline void put_ascii(Cell* cells, std::string_view text, StyleId style, char* copy = nullptr) {
  const char* const from = text.data();
  const std::size_t size = text.size();
#if defined(__SSE2__)
  if (size >= 8) {
    const __m128i styles = _mm_set1_epi32(static_cast<int>(style));
    const auto put = [&](std::size_t at) {
      const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + at));
      if (copy != nullptr) _mm_storel_epi64(reinterpret_cast<__m128i*>(copy + at), bytes);
      put_eight(cells + at, _mm_unpacklo_epi8(bytes, _mm_setzero_si128()), styles);
    };
    for (std::size_t at = 0; at + 8 < size; at += 8) put(at);
    // The last eight, some of them again: a loop over the rest costs more.
    return put(size - 8);
  }
#endif
  for (std::size_t i = 0; i < size; ++i) {
    cells[i] = {static_cast<unsigned char>(from[i]), style};
    if (copy != nullptr) copy[i] = from[i];
  }
}

// Writes the leading ASCII characters of `cells` that share the first one's style to `out`, which
// has room for all cells. Returns how many.
inline std::size_t take_ascii(std::span<const Cell> cells, char* out) {
  const StyleId style = cells.front().style;
  const auto is_ascii = [style](Cell cell) {
    return cell.bits - 0x20U < 0x5f && cell.style == style;
  };
  std::size_t i = 0;
#if defined(__SSE2__)
  const __m128i styles = _mm_set1_epi32(static_cast<int>(style));
  const __m128i below = _mm_set1_epi32(0x1f);
  const __m128i above = _mm_set1_epi32(0x7f);
  // Two loads hold four cells, with content and style alternating. This separates them.
  const auto split = [&](std::size_t at, __m128i& content) {
    const auto* from = reinterpret_cast<const __m128i*>(cells.data() + at);
    const __m128 low = _mm_castsi128_ps(_mm_loadu_si128(from));
    const __m128 high = _mm_castsi128_ps(_mm_loadu_si128(from + 1));
    content = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
    const __m128i style_of = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1)));
    const __m128i printable =
        _mm_and_si128(_mm_cmpgt_epi32(content, below), _mm_cmplt_epi32(content, above));
    return _mm_and_si128(printable, _mm_cmpeq_epi32(style_of, styles));
  };
  // Words between other characters are short, so check before going eight at a time.
  const bool is_long = cells.size() >= 8 && is_ascii(cells[7]);
  for (; is_long && i + 8 <= cells.size(); i += 8) {
    __m128i first;
    __m128i second;
    const __m128i good = _mm_and_si128(split(i, first), split(i + 4, second));
    if (_mm_movemask_epi8(good) != 0xffff) break;
    const __m128i words = _mm_packs_epi32(first, second);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out + i), _mm_packus_epi16(words, words));
  }
#endif
  while (i < cells.size() && is_ascii(cells[i])) {
    out[i] = static_cast<char>(cells[i].bits);
    ++i;
  }
  return i;
}

}  // namespace vt
