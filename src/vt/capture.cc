#include "vt/capture.h"

#include <algorithm>

namespace vt {

std::string text(const Screen& screen, const CaptureOptions& options) {
  const int cols = screen.size().cols;
  std::string out;
  std::size_t kept = 0;  // the end of what is not empty cells or line ends
  bool first = true;
  const auto append = [&](const Row& row, const Tables& tables) {
    if (!first && !row.wrapped) out.resize(kept);
    if (!first && !row.wrapped) out += '\n';
    if (first || !row.wrapped) kept = std::max(kept, out.size());
    first = false;
    const int end = row.content_length(cols);
    for (int x = 0; x < cols; ++x) {
      const Cell cell = row.at(x);
      if (cell.is_spacer()) continue;
      if (cell.has_content()) {
        tables.append_text(out, cell);
      } else {
        out += ' ';
      }
      if (x < end) kept = out.size();
    }
  };
  const State& state = screen.state();
  if (!state.alternate_active) {
    Tables tables;
    Row row;
    History::Reader reader(state.history, options.history_rows);
    while (reader.next(cols, tables, row)) append(row, tables);
  }
  for (int y = 0; y < state.size.rows; ++y) append(state.active().grid.row(y), state.tables);
  out.resize(kept);
  while (out.ends_with('\n')) out.pop_back();
  if (!out.empty()) out += '\n';
  return out;
}

}  // namespace vt
