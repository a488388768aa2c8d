// Erasing in the display and in a line, plain and selective (DECSED, DECSEL).

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
  const auto is_protected = [&](int x) {
    return (state_.tables.styles[row.at(x).style].flags & Style::kProtected) != 0;
  };
  if (begin > 0 && row.at(begin - 1).is_wide() && !is_protected(begin - 1))
    row.set(begin - 1, erased(), cols);
  if (end < cols && row.at(end - 1).is_wide() && !is_protected(end)) row.set(end, erased(), cols);
  for (int x = begin; x < end && x < cols; ++x)
    if (!is_protected(x)) row.set(x, erased(), cols);
}

void Screen::erase_row(int y, Protect protect) {
  erase_cells(y, 0, state_.size.cols, protect);
  buffer().grid.row(y).wrapped = false;
  buffer().grid.row(y).marks = {};
}

void Screen::erase_display(int what, Protect protect) {
  const int cols = state_.size.cols;
  const int rows = state_.size.rows;
  restrict_cursor(cols);
  const auto [x, y] = buffer().cursor;
  switch (what) {
    case 0:
      erase_cells(y, x, cols, protect);
      if (x == 0) buffer().grid.row(y).wrapped = false;
      for (int below = y + 1; below < rows; ++below) erase_row(below, protect);
      break;
    case 1:
      // From the last cell that is everything. xterm.js throws there, and draws nothing ever after.
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
