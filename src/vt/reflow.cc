#include "vt/reflow.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

namespace vt {
namespace {

int size_of(const auto& container) {
  return static_cast<int>(container.size());
}

}  // namespace

Reflow::Reflow(State& state, Size size)
    : state_(state),
      buffer_(state.primary),
      history_(state.history),
      old_(state.size),
      size_(size),
      screen_(buffer_.grid.take()) {
  // At most, all rows of the screen go into the history, those that are cut once more, and three
  // marks. A resize must not overwrite what it reads: a successor that repeats it has to find that
  // again.
  room_ = 3 * History::kSizeOfPlace;
  for (const Row& row : screen_) room_ += 2 * history_.size_of(row, old_.cols, state_.tables);
  room_ = std::min(room_, history_.window() / 2);
  least_ = history_.whole_after(room_);
}

void Reflow::run() {
  recognise();
  boundary_ = history_.boundary(old_.cols);
  tail_.emplace(history_, boundary_, least_, old_.cols);
  goes_on_ = screen_.front().wrapped && tail_->goes_on();
  change_height();
  assemble();
  if (reflows()) {
    change_width();
    pull();
  } else {
    keep_width();
  }
  put_rows();
}

// ---- the height

// Adds or removes rows above or below, depending on the cursor.
void Reflow::change_height() {
  Cursor& cursor = buffer_.cursor;
  int& saved_y = buffer_.saved.cursor.y;
  const int more = size_.rows - old_.rows;
  const int below = old_.rows - 1 - cursor.y;
  if (more > 0) {
    const int wanted = below == 0 ? more : 0;
    gather(recognised_ + wanted);
    const int pulled = std::clamp(gathered_ - recognised_, 0, wanted);
    screen_.resize(screen_.size() + static_cast<std::size_t>(more - pulled));
    cursor.y += pulled;
    saved_y += pulled;
    top_ = gathered_ - recognised_ - pulled;
  } else {
    gather(recognised_);
    const int popped = std::min(-more, below);
    const int pushed = -more - popped;
    screen_.resize(screen_.size() - static_cast<std::size_t>(popped));
    cursor.y -= pushed;
    saved_y -= pushed;
    top_ = gathered_ - recognised_ + pushed;
  }
  top_ = std::max(top_, 0);
}

// Everything gathered, old to new, and the screen's rows.
void Reflow::assemble() {
  for (std::size_t i = lines_.size(); i > 0; --i) {
    starts_.push_back(rows_.size());
    for (FoldedRow& row : folded_[i - 1]) {
      row.piece += size_of(pieces_);
      rows_.push_back(std::move(row));
    }
    std::ranges::move(lines_[i - 1], std::back_inserter(pieces_));
  }
  of_history_ = pieces_.size();
  for (Row& row : screen_) {
    const bool is_first = pieces_.size() == of_history_;
    if (is_first ? !goes_on_ || of_history_ == 0 : !row.wrapped) starts_.push_back(rows_.size());
    rows_.emplace_back().piece = size_of(pieces_);
    pieces_.push_back({.row = std::move(row), .cols = old_.cols});
  }
}

// A row of the screen is where its piece is.
Row& Reflow::row_at(std::size_t i) {
  const auto piece = static_cast<std::size_t>(rows_[i].piece);
  return piece < of_history_ ? rows_[i].row : pieces_[piece].row;
}

// ---- the width

// The part of the cursor's line that has scrolled off is folded like other lines.
std::vector<Reflow::Group> Reflow::groups() {
  std::vector<Group> groups;
  const auto top = static_cast<std::size_t>(top_);
  const std::size_t cursor = top + static_cast<std::size_t>(buffer_.cursor.y);
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const std::size_t first = starts_[i];
    const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1] : rows_.size();
    const bool is_split = first < top && cursor < end && first <= cursor;
    if (is_split) groups.push_back({.first = first, .end = top});
    groups.push_back({.first = is_split ? top : first, .end = end});
    if (is_split) split_ = source_of(top).piece;
  }
  return groups;
}

Reflow::Source Reflow::source_of(std::size_t i) const {
  if (i >= rows_.size()) return {.piece = pieces_.size()};
  return {.piece = static_cast<std::size_t>(rows_[i].piece), .x = rows_[i].x};
}

std::vector<Reflow::NewRow> Reflow::fold(const Group& group) {
  const Source first = source_of(group.first);
  const Source last = source_of(group.end);
  std::span<Piece> line(pieces_);
  line = line.subspan(first.piece, last.piece - first.piece + (last.x > 0 ? 1 : 0));
  const int cut = line.back().cut;
  if (last.x > 0) line.back().cut = last.x;
  std::vector<FoldedRow> folded =
      fold_line(line, static_cast<int>(first.piece), nullptr, size_.cols, first.x);
  line.back().cut = cut;
  return new_rows(std::move(folded), last);
}

std::vector<Reflow::NewRow> Reflow::new_rows(std::vector<FoldedRow> folded, Source end) {
  std::vector<NewRow> rows(folded.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].row = std::move(folded[i].row);
    rows[i].end = end;
    if (i > 0)
      rows[i - 1].end = {.piece = static_cast<std::size_t>(folded[i].piece), .x = folded[i].x};
  }
  return rows;
}

std::vector<Reflow::NewRow> Reflow::cut(const Group& group) {
  std::vector<NewRow> rows;
  for (std::size_t i = group.first; i < group.end; ++i) {
    NewRow& row = rows.emplace_back();
    row.row = copy_of(row_at(i), old_.cols);
    row.row.resize(old_.cols, size_.cols);
    row.end = source_of(i + 1);
    row.is_cut = true;
  }
  return rows;
}

void Reflow::keep_width() {
  new_rows_.resize(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) new_rows_[i].end = source_of(i + 1);
}

// The program redraws the cursor's line, so leave that to it. Like xterm.js, this uses the cursor's
// current position, counted in the old rows.
void Reflow::change_width() {
  int popped = 0;
  int moved = 0;
  // xterm.js goes through lines from the bottom when they shrink; otherwise the order does not
  // matter.
  for (const Group& group : groups() | std::views::reverse) {
    const auto cursor = static_cast<std::size_t>(top_ + buffer_.cursor.y);
    const bool has_cursor = group.first <= cursor && cursor < group.end;
    std::vector<NewRow> rows = has_cursor ? cut(group) : fold(group);
    const std::size_t before = group.end - group.first;
    const int added = size_of(rows) - static_cast<int>(before);
    if (size_.cols < old_.cols) {
      popped += follow_growth(added);
    } else {
      moved += added;
    }
    for (std::size_t i = rows.size(); i > 0; --i) {
      rows[i - 1].is_added = i > before;
      rows[i - 1].group = group.first;
      new_rows_.push_back(std::move(rows[i - 1]));
    }
  }
  top_ += moved;
  std::ranges::reverse(new_rows_);
  pop(popped);
}

// Rows removed at the bottom are old ones, whatever they contain.
void Reflow::pop(int count) {
  for (std::size_t i = new_rows_.size(); i > 0 && count > 0; --i) {
    if (new_rows_[i - 1].is_added) continue;
    const std::size_t group = new_rows_[i - 1].group;
    new_rows_.erase(new_rows_.begin() + static_cast<std::ptrdiff_t>(i - 1));
    for (std::size_t k = i - 1; k < new_rows_.size() && new_rows_[k].group == group; ++k)
      new_rows_[k].is_cut = true;
    --count;
  }
}

// A line takes more rows: the screen shows the last ones. Without a history, the cursor moves down
// as far as it can, and rows at the bottom are removed. Returns how many.
int Reflow::follow_growth(int added) {
  int popped = 0;
  const int top = top_;
  for (int n = added; n > 0; --n) {
    if (top_ == 0 && buffer_.cursor.y < size_.rows - 1 && !has_more()) {
      ++buffer_.cursor.y;
      ++popped;
    } else {
      ++top_;
    }
  }
  int& saved_y = buffer_.saved.cursor.y;
  saved_y = std::min(saved_y + added - (top_ - top), size_.rows - 1);
  return popped;
}

// Lines that became shorter make room for the history above them.
void Reflow::pull() {
  std::vector<std::vector<Piece>> lines;
  std::size_t count = 0;
  std::vector<std::vector<FoldedRow>> folded;
  while (top_ < 0 && has_more()) {
    lines.push_back(next_line());
    count += lines.back().size();
    folded.push_back(fold_line(lines.back(), 0, nullptr, size_.cols));
    top_ += size_of(folded.back());
  }
  std::vector<Piece> pieces;
  std::vector<NewRow> rows;
  for (std::size_t i = lines.size(); i > 0; --i) {
    for (FoldedRow& row : folded[i - 1]) row.piece += size_of(pieces);
    std::ranges::move(lines[i - 1], std::back_inserter(pieces));
    std::ranges::move(new_rows(std::move(folded[i - 1]), {.piece = pieces.size()}),
                      std::back_inserter(rows));
  }
  for (NewRow& row : new_rows_) row.end.piece += count;
  of_history_ += count;
  if (split_ > 0) split_ += count;
  std::ranges::move(new_rows_, std::back_inserter(rows));
  std::ranges::move(pieces_, std::back_inserter(pieces));
  new_rows_ = std::move(rows);
  pieces_ = std::move(pieces);

  const int missing = std::max(-top_, 0);
  buffer_.cursor.y = std::max(buffer_.cursor.y - missing, 0);
  buffer_.saved.cursor.y = std::max(buffer_.saved.cursor.y - missing, 0);
  top_ = std::max(top_, 0);
}

// ---- the result

void Reflow::put_rows() {
  top_ = std::min(top_, std::max(size_of(new_rows_) - size_.rows, 0));
  // With one column, a row of odd cells cannot be wrapped from.
  for (std::size_t i = 0; size_.cols == 1 && i < new_rows_.size(); ++i)
    make_plain(reflows() ? new_rows_[i].row : row_at(i), size_.cols, state_.tables);
  write_history();
  std::vector<Row> rows(static_cast<std::size_t>(size_.rows));
  const auto top = static_cast<std::size_t>(top_);
  for (std::size_t y = 0; y < rows.size() && top + y < new_rows_.size(); ++y)
    rows[y] = std::move(reflows() ? new_rows_[top + y].row : row_at(top + y));
  buffer_.grid.put(std::move(rows));
  buffer_.cursor.y = std::clamp(buffer_.cursor.y, 0, size_.rows - 1);
}

}  // namespace vt
