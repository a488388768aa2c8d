// What the screen shows, for people and programs: as plain text, or as text with SGR sequences.

#pragma once

#include <string>

#include "vt/screen.h"
#include "vt/snapshot.h"

namespace vt {

struct CaptureOptions {
  int history_rows = 0;  // how many of the newest history rows to put before the screen
};

// The text of history and screen. Wrapped rows are joined, and empty cells at the end of a line and
// empty lines at the end are left out. Each line ends with LF.
[[nodiscard]] std::string text(const Screen& screen, const CaptureOptions& options = {});

// The same with the colours and attributes of the text as SGR sequences. Each line starts and ends
// with the default ones.
[[nodiscard]] std::string ansi(const Screen& screen, const CaptureOptions& options = {});

// Calls f(row, tables, is_history) for the rows of history and screen, top to bottom.
template <class F>
void for_each_row(const Screen& screen, const CaptureOptions& options, F f) {
  const State& state = screen.state();
  if (!state.alternate_active) {
    Tables tables;
    Row row;
    History::Reader reader(state.history, options.history_rows);
    while (reader.next(state.size.cols, tables, row)) f(row, tables, true);
  }
  for (int y = 0; y < state.size.rows; ++y) f(state.active().grid.row(y), state.tables, false);
}

}  // namespace vt
