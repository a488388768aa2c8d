// Resizing the primary screen with its history, line for line as xterm.js 6 does it (Buffer.resize,
// BufferReflow), so that a viewer that was resized and one that was reattached show the same.

#pragma once

#include <vector>

#include "vt/row.h"
#include "vt/state.h"

namespace vt {

// The history's rows and the screen's in one list, all of one width. The screen is the rows from
// `base` on.
struct Lines {
  std::vector<Row> rows;
  int base = 0;
  Cursor cursor;     // relative to base
  int saved_y = 0;   // absolute
  int max_rows = 0;  // history and screen together, at the new height
};

void resize_lines(Lines& lines, Size old_size, Size new_size);

}  // namespace vt
