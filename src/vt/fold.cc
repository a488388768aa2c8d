#include "vt/fold.h"

#include <algorithm>
#include <utility>

namespace vt {
namespace {

// How many empty rows are held back in case the line ends with them. Bounded, because the content
// of a history ring is untrusted.
constexpr std::size_t kMostHeld = kMaxSide;

bool is_gap(const Row& row, int x) {
  return !row.at(x).has_content() && row.at(x).width() == Width::one;
}

}  // namespace

int line_length(const Row& row, int cols, const Row* next) {
  if (next == nullptr) return std::min(row.content_length(cols), cols);
  return is_gap(row, cols - 1) && next->at(0).is_wide() ? cols - 1 : cols;
}

int line_length(const Piece& piece, const Row* next) {
  return piece.cut > 0 ? piece.cut : line_length(piece.row, piece.cols, next);
}

bool is_whole(const Row& row, int cols, int cut) {
  return cut == 0 || cut == cols || (cut == cols - 1 && is_gap(row, cols - 1));
}

void LineFold::begin(int cols, int piece) {
  rows_.clear();
  ready_ = 0;
  cols_ = x_ = cols;
  piece_ = piece - 1;
  pieces_ = made_ = 0;
  marks_ = {};
}

void LineFold::drop(std::size_t count) {
  rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(count));
  ready_ -= count;
}

void LineFold::start_row(int x) {
  FoldedRow& fresh = rows_.emplace_back();
  fresh.piece = piece_;
  fresh.x = x;
  fresh.row.wrapped = made_ > 0;
  ++made_;
  x_ = 0;
}

// A row with content releases the rows before it.
void LineFold::close_row() {
  x_ = cols_;
  if (rows_.empty()) return;
  const bool shows = rows_.back().row.content_length(cols_) > 0;
  if (shows || made_ == 1 || rows_.size() - ready_ > kMostHeld) ready_ = rows_.size();
}

void LineFold::put(Cell cell, int x) {
  if (x_ == cols_) {
    close_row();
    start_row(x);
  }
  Row& row = rows_.back().row;
  row.marks.merge(std::exchange(marks_, {}));
  row.set(x_++, cell, cols_);
}

void LineFold::add(const Row& row, int cols, int length, int from) {
  ++piece_;
  ++pieces_;
  last_cols_ = cols;
  last_is_empty_ = length <= from;
  marks_.merge(row.marks);
  if (made_ == 0 && from < length) {
    start_row(from);
    rows_.back().row.wrapped = row.wrapped || from > 0;
  }
  for (int x = from; x < length; ++x) {
    const Cell cell = row.at(x);
    if (cell.is_wide() && x + 1 < length && cols_ > 1) {
      // It does not fit in the last column and goes to the next row.
      if (x_ == cols_ - 1) x_ = cols_;
      put(cell, x);
      ++x;
      put(row.at(x), x);
    } else {
      put(cell.is_wide() || cell.is_spacer() ? Cell::empty(cell.style) : cell, x);
    }
  }
}

void LineFold::add_whole(Row&& row, int cols) {
  close_row();
  ++piece_;
  ++pieces_;
  last_cols_ = cols;
  last_is_empty_ = false;
  start_row(0);
  if (cols != cols_) row.resize(cols, cols_);
  row.marks.merge(std::exchange(marks_, {}));
  rows_.back().row = std::move(row);
  close_row();
  ready_ = rows_.size();
}

void LineFold::end(bool goes_on) {
  if (made_ == 0) start_row(0);
  close_row();
  if (!goes_on && last_cols_ <= cols_) {
    // Rows without content at the end go when a line grows ...
    PromptMarks marks;
    for (; rows_.size() > ready_; --made_) {
      marks.merge(rows_.back().row.marks);
      rows_.pop_back();
    }
    marks_.merge(marks);
  }
  // ... and a last one that was empty stays when it shrinks.
  if (!goes_on && last_cols_ > cols_ && last_is_empty_ && made_ < pieces_) start_row(0);
  if (!rows_.empty()) rows_.back().row.marks.merge(std::exchange(marks_, {}));
  x_ = cols_;
  ready_ = rows_.size();
}

std::vector<FoldedRow> fold_line(std::span<const Piece> line, int first_number, const Row* next,
                                 int cols, int from) {
  LineFold fold;
  fold.begin(cols, first_number);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Piece& piece = line[i];
    const Row* const after = i + 1 < line.size() ? &line[i + 1].row : next;
    const bool whole = from == 0 && is_whole(piece.row, piece.cols, piece.cut);
    const bool alone = line.size() == 1 && after == nullptr && piece.cut == 0 &&
                       piece.row.content_length(piece.cols) <= cols;
    if (whole && (alone || piece.cols == cols)) {
      fold.add_whole(copy_of(piece.row, piece.cols), piece.cols);
    } else {
      fold.add(piece.row, piece.cols, line_length(piece, after), from);
    }
    from = 0;
  }
  fold.end(next != nullptr || (!line.empty() && line.back().cut > 0));
  std::vector<FoldedRow> rows;
  for (FoldedRow& row : fold.rows()) rows.push_back(std::move(row));
  return rows;
}

Row copy_of(const Row& row, int cols) {
  Row copy;
  copy.reset(row.fill());
  copy.wrapped = row.wrapped;
  copy.marks = row.marks;
  const std::span<const Cell> cells = row.written();
  std::ranges::copy(cells, copy.write(0, static_cast<int>(cells.size()), cols));
  copy.drop_encoding();
  return copy;
}

void make_plain(Row& row, int cols, Tables& tables) {
  for (int x = cols - 1; x >= 0; --x)
    if (!tables.is_odd(row.at(x))) return;
  const Style style = tables.styles[row.at(cols - 1).style].erased();
  row.set(cols - 1, Cell::empty(tables.styles.intern(style)), cols);
}

}  // namespace vt
