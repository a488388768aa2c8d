#include <algorithm>

#include "vt/reflow.h"
#include "vt/screen.h"

namespace vt {

void Screen::resize(Size size) {
  size = {.cols = std::clamp(size.cols, 1, kMaxSide), .rows = std::clamp(size.rows, 1, kMaxSide)};
  state_.preceding = 0;
  if (size == state_.size) return;
  if (state_.tables.wants_sweep()) collect_garbage();
  Reflow(state_, size).run();
  if (state_.alternate_active) resize_alternate(size);
  for (Buffer* b : {&state_.primary, &state_.alternate}) {
    b->top = 0;
    b->bottom = size.rows - 1;
    b->cursor.x = std::min(b->cursor.x, size.cols - 1);
    b->saved.cursor.x = std::min(b->saved.cursor.x, size.cols - 1);
    b->saved.cursor.y = std::clamp(b->saved.cursor.y, 0, size.rows - 1);
    b->tabs.resize(size.cols);
  }
  state_.size = size;
  keep_bottom_plain(state_.primary);
  if (state_.alternate_active) keep_bottom_plain(state_.alternate);
}

// The alternate screen is cut or extended: full-screen programs redraw it.
void Screen::resize_alternate(Size size) {
  Buffer& b = state_.alternate;
  if (size.cols < state_.size.cols) alternate_was_cut_ = true;
  std::vector<Row> rows = b.grid.take();
  for (Row& row : rows) {
    row.resize(state_.size.cols, size.cols);
    row.mend(size.cols);
    if (size.cols == 1) make_plain(row, size.cols, state_.tables);
  }
  const int below = state_.size.rows - 1 - b.cursor.y;
  const int excess = std::max(state_.size.rows - size.rows, 0);
  const int from_top = std::max(excess - below, 0);
  rows.erase(rows.begin(), rows.begin() + from_top);
  rows.resize(static_cast<std::size_t>(size.rows));
  b.grid.put(std::move(rows));
  b.cursor.y = std::min(b.cursor.y, size.rows - 1);
  b.saved.cursor.y = std::max(b.saved.cursor.y - from_top, 0);
}

}  // namespace vt
