// Rows as bytes, for the history. The encoding is specified in docs/vt.md. Decoding trusts nothing.

#pragma once

#include <string_view>

#include "vt/byte_buffer.h"
#include "vt/row.h"
#include "vt/tables.h"

namespace vt {

// A row starts with this byte. The status of a mark follows, if it has one, then the cells.
inline constexpr int kMarksShift = 1;
inline std::uint8_t row_flags(const Row& row) {
  return static_cast<std::uint8_t>((row.wrapped ? 1 : 0) | row.marks.bits << kMarksShift);
}
// Whether `row.encoded()` covers all its cells.
inline bool has_whole_encoding(const Row& row, int cols) {
  const int written = static_cast<int>(row.written().size());
  return (row.fill() == Cell() || written == cols) && row.is_encoded_to(written);
}
void encode_row(const Row& row, int cols, const Tables& tables, ByteBuffer& out);

// Extends the encoding that `row` carries, which must end where characters are being written, up to
// column `end`, all in one style. Returns where their `size` bytes of UTF-8 go; the last character
// starts at `last`. Nothing if the row cannot carry them.
char* encode_run(Row& row, int end, std::size_t size, std::size_t last, StyleId style,
                 const Tables& tables);
// Replaces the last character of the encoding that `row` carries with `text`.
void encode_join(Row& row, std::string_view text, Width width);

// False if the bytes are not a row of at most `cols` cells; `row` is then blank.
[[nodiscard]] bool decode_row(std::string_view bytes, int cols, Tables& tables, Row& row);

}  // namespace vt
