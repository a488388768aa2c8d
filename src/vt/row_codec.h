// Rows as bytes, for the history. The encoding is specified in docs/vt.md. Decoding trusts nothing.

#pragma once

#include <string_view>

#include "vt/byte_buffer.h"
#include "vt/row.h"
#include "vt/tables.h"

namespace vt {

void encode_row(const Row& row, int cols, const Tables& tables, ByteBuffer& out);

// False if the bytes are not a row of at most `cols` cells; `row` is then blank.
[[nodiscard]] bool decode_row(std::string_view bytes, int cols, Tables& tables, Row& row);

}  // namespace vt
