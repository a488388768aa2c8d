#include "vt/lines.h"

#include "vt/snapshot.h"

namespace vt {

Lines::Lines(const Screen& screen)
    : state_(screen.state()), history_(state_.history, kAllHistory) {}

bool Lines::read() {
  if (read_ != nullptr) return true;
  if (!is_history_over_ && history_.next(state_.size.cols, history_tables_, row_)) {
    read_ = &row_;
    tables_ = &history_tables_;
    return true;
  }
  is_history_over_ = true;
  if (screen_row_ == state_.size.rows) return false;
  read_ = &state_.active().grid.row(screen_row_++);
  tables_ = &state_.tables;
  return true;
}

bool Lines::next(std::string& line) {
  line.clear();
  if (!read()) return false;
  std::size_t kept = 0;  // The end of the last cell that has content.
  do {
    const int cols = read_->content_length(state_.size.cols);
    for (int x = 0; x < cols; ++x) {
      const Cell cell = read_->at(x);
      if (cell.is_spacer()) continue;
      if (cell.has_content())
        tables_->append_text(line, cell);
      else
        line += ' ';
    }
    if (cols > 0) kept = line.size();
    // The line may go on, so empty cells count.
    for (int x = cols; x < state_.size.cols; ++x) line += ' ';
    read_ = nullptr;
  } while (line.size() < kLongest && read() && read_->wrapped);
  line.resize(kept);
  return true;
}

}  // namespace vt
