#include "vt/lines.h"

#include "vt/snapshot.h"

namespace vt {

void LineText::add(const Row& row, int cols, const Tables& tables) {
  // A wide character that did not fit left its last column empty.
  if (blanks_ == 1 && row.at(0).is_wide()) blanks_ = 0;
  line_.append(blanks_, ' ');
  const int content = row.content_length(cols);
  for (int x = 0; x < content; ++x) {
    const Cell cell = row.at(x);
    if (cell.is_spacer()) continue;
    if (cell.has_content())
      tables.append_text(line_, cell);
    else
      line_ += ' ';
  }
  if (content > 0) kept_ = line_.size();
  blanks_ = static_cast<std::size_t>(cols - content);
}

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
  LineText text(line);
  if (!read()) return false;
  do {
    text.add(*read_, state_.size.cols, *tables_);
    read_ = nullptr;
  } while (text.size() < kLongest && read() && read_->wrapped);
  text.end();
  return true;
}

}  // namespace vt
