#include "terminal/sketch.h"

#include <algorithm>
#include <functional>

#include "vt/screen_json.h"

namespace terminal {
namespace {

std::string line_of(const vt::Screen& screen, int row, int cols) {
  std::string line;
  vt::append_json_row(line, screen.state().active().grid.row(row), cols, screen.state().tables,
                      vt::Links::hidden);
  return line;
}

// The last row that shows something.
int last_row(const vt::Screen& screen) {
  int row = screen.size().rows - 1;
  const int cursor = screen.state().active().cursor.y;
  while (row > cursor && line_of(screen, row, screen.size().cols) == "[]") --row;
  return row;
}

}  // namespace

std::optional<Sketch::Change> Sketch::take(const vt::Screen& screen) {
  const vt::Size size = screen.size();
  const int rows = std::min(size.rows, kMostRows);
  const int top = rows == size.rows ? 0 : std::max(0, last_row(screen) + 1 - rows);
  Change change{.rows = rows, .cols = std::min(size.cols, kMostCols)};
  const auto& cursor = screen.state().active().cursor;
  if (screen.state().lasting.cursor_visible && cursor.y >= top && cursor.x < change.cols)
    change.cursor = {cursor.x, cursor.y - top};
  const bool is_same_size = change.rows == last_.rows && change.cols == last_.cols;
  const bool is_same = is_same_size && change.cursor == last_.cursor;
  last_ = change;
  if (!is_same_size) hashes_.assign(static_cast<std::size_t>(rows), 0);
  for (int row = 0; row < rows; ++row) {
    std::string line = line_of(screen, top + row, change.cols);
    std::size_t& hash = hashes_[static_cast<std::size_t>(row)];
    const std::size_t now = std::hash<std::string>()(line);
    if (std::exchange(hash, now) != now) change.lines.emplace(row, std::move(line));
  }
  return is_same && change.lines.empty() ? std::nullopt : std::optional(std::move(change));
}

}  // namespace terminal
