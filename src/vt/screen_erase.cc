// Erasing in the display and in a line, plain and selective (DECSED, DECSEL).

#include <algorithm>

#include "vt/screen.h"

namespace vt {

void Screen::erase_in_display(const Params& params) {
  erase_display(params[0], Protect::ignore);
}

void Screen::erase_in_display_selective(const Params& params) {
  erase_display(params[0], Protect::respect);
}

void Screen::erase_in_line(const Params& params) {
  erase_line(params[0], Protect::ignore);
}

void Screen::erase_in_line_selective(const Params& params) {
  erase_line(params[0], Protect::respect);
}

void Screen::erase_cells(int y, int begin, int end, Protect protect) {
  Row& row = buffer().grid.row(y);
  const int cols = state_.size.cols;
  if (protect == Protect::ignore) {
    row.replace(begin, end, erased(), cols);
    return;
  }
  erase_unprotected(row, begin, end);
}

void Screen::erase_unprotected(Row& row, int begin, int end) {
  const int cols = state_.size.cols;
  const Cell blank = erased();
  const auto is_protected = [this](Cell cell) {
    return (state_.tables.styles[cell.style].flags & Style::kProtected) != 0;
  };
  if (begin > 0 && row.at(begin - 1).is_wide() && !is_protected(row.at(begin - 1)))
    row.set(begin - 1, blank, cols);
  if (end < cols && row.at(end - 1).is_wide() && !is_protected(row.at(end)))
    row.set(end, blank, cols);
  end = std::min(end, cols);
  const int written = std::min(static_cast<int>(row.written().size()), end);
  if (begin < written) {
    charge(written - begin);
    Cell* const cells = row.write(begin, written, cols);
    for (Cell& cell : std::span(cells, cells + (written - begin)))
      if (!is_protected(cell)) cell = blank;
  }
  if (begin = std::max(begin, written); begin < end && !is_protected(row.fill()))
    row.replace(begin, end, blank, cols);
}

void Screen::erase_row(int y, Protect protect) {
  Row& row = buffer().grid.row(y);
  row.wrapped = false;
  row.marks = {};
  if (protect == Protect::ignore || !state_.tables.has_protected) return row.clear(erased());
  const Cell blank = erased();
  if (row.is_swept(blank)) return;
  erase_unprotected(row, 0, state_.size.cols);
  row.trim();
  if (row.written().empty() && row.fill() == blank) row.clear(blank);
  row.note_swept(blank, state_.size.cols);
}

void Screen::erase_display(int what, Protect protect) {
  const int cols = state_.size.cols;
  const int rows = state_.size.rows;
  charge(rows * kRowWork);
  restrict_cursor(cols);
  const auto [x, y] = buffer().cursor;
  switch (what) {
    case 0:
      erase_cells(y, x, cols, protect);
      if (x == 0) buffer().grid.row(y).wrapped = false;
      for (int below = y + 1; below < rows; ++below) erase_row(below, protect);
      break;
    case 1:
      // From the last cell, that is everything. xterm.js throws there and never draws again.
      if (x + 1 >= cols && y + 1 == rows) {
        send_instead(protect == Protect::ignore ? "\x1b[2J" : "\x1b[?2J", StreamSink::By::cursor);
        return erase_display(2, protect);
      }
      erase_cells(y, 0, x + 1, protect);
      buffer().grid.row(y).wrapped = false;
      if (x + 1 >= cols && y + 1 < rows) buffer().grid.row(y + 1).wrapped = false;
      for (int above = 0; above < y; ++above) erase_row(above, protect);
      break;
    case 2:
      for (int any = 0; any < rows; ++any) erase_row(any, protect);
      break;
    case 3:
      if (!state_.alternate_active) state_.history.clear();
      break;
    default:
      break;
  }
  settle_pending_wrap();
}

void Screen::erase_line(int what, Protect protect) {
  const int cols = state_.size.cols;
  restrict_cursor(cols);
  const auto [x, y] = buffer().cursor;
  switch (what) {
    case 0:
      erase_cells(y, x, cols, protect);
      if (x == 0) cursor_row().wrapped = false;
      break;
    case 1:
      erase_cells(y, 0, x + 1, protect);
      break;
    case 2:
      erase_cells(y, 0, cols, protect);
      cursor_row().wrapped = false;
      break;
    default:
      break;
  }
  settle_pending_wrap();
}

}  // namespace vt
