#include <algorithm>
#include <limits>
#include <span>

#include "vt/reflow.h"
#include "vt/screen.h"

namespace vt {

void Screen::resize(Size size) {
  size = {.cols = std::clamp(size.cols, 1, kMaxSide), .rows = std::clamp(size.rows, 1, kMaxSide)};
  state_.preceding = 0;
  if (size == state_.size) return;
  resize_primary(size);
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

void Screen::resize_primary(Size size) {
  Buffer& b = state_.primary;
  History& history = state_.history;
  if (state_.tables.wants_sweep()) collect_garbage();
  // Reflow concerns all rows; a change of height at most those that come back onto the screen.
  const int missing = std::max(size.rows - state_.size.rows, 0);
  const int wanted =
      size.cols != state_.size.cols ? history.rows() : std::min(missing, history.rows());
  const std::uint64_t past = history.position().end;
  Lines lines;
  lines.rows.resize(static_cast<std::size_t>(wanted));
  for (int i = wanted - 1; i >= 0; --i)
    history.pop(state_.size.cols, state_.tables, lines.rows[static_cast<std::size_t>(i)]);
  if (size.cols != state_.size.cols) history.clear();
  history.move_past(past);
  for (Row& row : b.grid.take()) lines.rows.push_back(std::move(row));
  lines.base = wanted;
  lines.cursor = b.cursor;
  lines.saved_y = b.saved.cursor.y + wanted;
  const bool bounded = history.max_rows() != History::kNoRowLimit;
  lines.max_rows = bounded ? history.max_rows() + size.rows : std::numeric_limits<int>::max() / 2;

  resize_lines(lines, state_.size, size);

  // With a bounded history, xterm.js may end up counting more rows above the screen than there are.
  lines.base = std::clamp(static_cast<int>(lines.rows.size()) - size.rows, 0, lines.base);
  const int total = lines.base + size.rows;
  lines.rows.resize(static_cast<std::size_t>(total));
  // One column is too few to wrap from a row of odd cells.
  if (size.cols == 1)
    for (Row& row : lines.rows) make_plain(row, size.cols);
  history.push_all(std::span(lines.rows).first(static_cast<std::size_t>(lines.base)), size.cols,
                   state_.tables);
  lines.rows.erase(lines.rows.begin(), lines.rows.begin() + lines.base);
  b.grid.put(std::move(lines.rows));
  b.cursor.y = std::clamp(lines.cursor.y, 0, size.rows - 1);
  b.saved.cursor.y = lines.saved_y - lines.base;
}

// The alternate screen is cut or extended: full-screen programs draw it again.
void Screen::resize_alternate(Size size) {
  Buffer& b = state_.alternate;
  std::vector<Row> rows = b.grid.take();
  for (Row& row : rows) {
    row.resize(state_.size.cols, size.cols);
    row.mend(size.cols);
    if (size.cols == 1) make_plain(row, size.cols);
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
