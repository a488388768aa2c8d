// Rows as bytes, for the history. The encoding is specified in docs/vt.md. Decoding trusts nothing.

#pragma once

#include <string_view>

#include "vt/byte_buffer.h"
#include "vt/row.h"
#include "vt/tables.h"

namespace vt {

void encode_row(const Row& row, int cols, const Tables& tables, ByteBuffer& out);

// Continues the encoding that `row` carries with `utf8`, the characters that were just written up
// to column `end`, all in one style; the last of them begins at `last`. The row was encoded up to
// where they begin.
void encode_run(Row& row, int end, std::string_view utf8, std::size_t last, StyleId style,
                const Tables& tables);
// The last character of the encoding that `row` carries has become `text`.
void encode_join(Row& row, std::string_view text, Width width);

// False if the bytes are not a row of at most `cols` cells; `row` is then blank.
[[nodiscard]] bool decode_row(std::string_view bytes, int cols, Tables& tables, Row& row);

}  // namespace vt
