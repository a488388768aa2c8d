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

bool is_same(const Row& a, const Row& b, int cols) {
  if (a.wrapped != b.wrapped || a.marks != b.marks) return false;
  for (int x = 0; x < cols; ++x)
    if (a.at(x) != b.at(x)) return false;
  return true;
}

}  // namespace

Reflow::Reflow(State& state, Size size)
    : state_(state),
      buffer_(state.primary),
      history_(state.history),
      old_(state.size),
      size_(size),
      screen_(buffer_.grid.take()) {
  // At most all rows of the screen go into the history, and those that are cut once more, with
  // three marks. What a resize writes must not reach what it looks at: a successor that does it
  // again has to find that.
  room_ = 3 * History::kSizeOfPlace;
  for (const Row& row : screen_) room_ += 2 * history_.size_of(row, old_.cols, state_.tables);
  room_ = std::min(room_, history_.size() / 2);
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
  } else {
    keep_width();
  }
  pull();
  put_rows();
}

// ---- the history's part

// Rows that came back onto the screen at an earlier resize are still in the ring. Where the screen
// shows them as they are, the history may have them again, and nothing has to be written: who makes
// a window smaller and larger all day long loses nothing.
void Reflow::recognise() {
  History::Place place = history_.boundary(old_.cols);
  History::Tail tail(history_, place, least_, old_.cols);
  for (bool goes_on = true; goes_on;) {
    // What the history has of the line that `place` is in, but for the piece where it is.
    std::vector<Piece> line;
    if (place.cut > 0) line = tail.older_line(state_.tables);
    if (!line.empty()) line.pop_back();
    const std::size_t known = line.size();
    History::Place end = place;
    std::ranges::move(tail.line_ahead(end, state_.tables), std::back_inserter(line));
    if (line.size() == known || (line.front().row.wrapped && place.cols != old_.cols)) break;
    goes_on = recognise(line, known, place);
    if (goes_on) place = end;
  }
  if (!is_extended_) return;
  screen_.erase(screen_.begin(), screen_.begin() + recognised_);
  history_.extend_to(place);
}

// Compares what comes after `place`, which is in piece `number` of the line or before it, with the
// rows of the screen above the cursor. True if all of it is shown; else `place` moves.
bool Reflow::recognise(const std::vector<Piece>& line, std::size_t number, History::Place& place) {
  const std::vector<FoldedRow> rows = fold_line(line, 0, nullptr, old_.cols);
  int x = place.cut;
  if (x > 0 && number + 1 < line.size() && x >= line_length(line[number], &line[number + 1].row)) {
    ++number;
    x = 0;
  }
  auto row = std::ranges::find_if(rows, [&](const FoldedRow& folded) {
    return folded.piece == static_cast<int>(number) && folded.x == x;
  });
  const auto first = row;
  const Row* shown = &screen_[static_cast<std::size_t>(recognised_)];
  const Row* const cursor = &screen_[static_cast<std::size_t>(buffer_.cursor.y)];
  for (; row != rows.end() && shown < cursor && is_same(row->row, *shown, old_.cols); ++row)
    ++shown;
  // What goes on on the screen is another line.
  if (row == first || (row == rows.end() && shown->wrapped)) return false;
  recognised_ += static_cast<int>(row - first);
  is_extended_ = true;
  if (row == rows.end()) return true;
  number = static_cast<std::size_t>(row->piece);
  const Piece& piece = line[number];
  place = {.at = row->x > 0 ? piece.end : piece.start, .cols = piece.cols, .cut = row->x};
  if (row->x == 0 && piece.cols != old_.cols) place.cut = line_length(line[number - 1], &piece.row);
  return false;
}

std::vector<Piece> Reflow::next_line() {
  if (!spare_.empty()) return std::exchange(spare_, {});
  return tail_->older_line(state_.tables);
}

bool Reflow::has_more() {
  if (spare_.empty()) spare_ = tail_->older_line(state_.tables);
  return !spare_.empty();
}

// Takes lines of the history until they are so many rows at the old width, and the line that goes
// on on the screen in any case.
void Reflow::gather(int wanted) {
  const Row* next = goes_on_ ? &screen_.front() : nullptr;
  bool takes_line = reflows() && goes_on_;
  while (takes_line || gathered_ < wanted) {
    lines_.push_back(next_line());
    if (lines_.back().empty()) return lines_.pop_back();
    folded_.push_back(fold_line(lines_.back(), 0, next, old_.cols));
    gathered_ += size_of(folded_.back());
    takes_line = false;
    next = nullptr;
  }
}

// ---- the height

// Rows above or below appear or go, depending on where the cursor is.
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

// All that was gathered, old to new, and the screen's rows.
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

// What of the cursor's line has scrolled off is folded like other lines.
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
  std::vector<NewRow> rows(folded.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].row = std::move(folded[i].row);
    rows[i].end = last;
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

// The program redraws the line that the cursor is in, so that is left to it. Like xterm.js, this
// takes the cursor to be where it has got to meanwhile, counted in the rows as they were.
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

// Rows that go at the bottom are of those that were there before, whatever is in them.
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

// A line takes more rows: the screen stays with the last ones. Without a history the cursor goes
// down as long as it can, and rows go at the bottom; returns how many.
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
  while (top_ < 0 && has_more()) {
    std::vector<Piece> line = next_line();
    std::vector<FoldedRow> folded = fold_line(line, 0, nullptr, size_.cols);
    for (NewRow& row : new_rows_) row.end.piece += line.size();
    top_ += size_of(folded);
    of_history_ += line.size();
    std::vector<NewRow> rows(folded.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].row = std::move(folded[i].row);
      rows[i].end = {.piece = line.size()};
      if (i > 0)
        rows[i - 1].end = {.piece = static_cast<std::size_t>(folded[i].piece), .x = folded[i].x};
    }
    std::ranges::move(new_rows_, std::back_inserter(rows));
    std::ranges::move(pieces_, std::back_inserter(line));
    new_rows_ = std::move(rows);
    pieces_ = std::move(line);
  }
  const int missing = std::max(-top_, 0);
  buffer_.cursor.y = std::max(buffer_.cursor.y - missing, 0);
  buffer_.saved.cursor.y = std::max(buffer_.saved.cursor.y - missing, 0);
  top_ = std::max(top_, 0);
}

// ---- the result

void Reflow::put_rows() {
  top_ = std::min(top_, std::max(size_of(new_rows_) - size_.rows, 0));
  // One column is too few to wrap from a row of odd cells.
  const auto make_rows_plain = [this](auto& rows) {
    for (auto& row : rows)
      if (size_.cols == 1) make_plain(row.row, size_.cols, state_.tables);
  };
  make_rows_plain(rows_);
  make_rows_plain(new_rows_);
  write_history();
  std::vector<Row> rows(static_cast<std::size_t>(size_.rows));
  const auto top = static_cast<std::size_t>(top_);
  for (std::size_t y = 0; y < rows.size() && top + y < new_rows_.size(); ++y)
    rows[y] = std::move(reflows() ? new_rows_[top + y].row : row_at(top + y));
  buffer_.grid.put(std::move(rows));
  buffer_.cursor.y = std::clamp(buffer_.cursor.y, 0, size_.rows - 1);
}

// If a piece continues the one before it, how much of that one belongs to the line.
int Reflow::continued_length(std::size_t piece) const {
  if (piece == 0 || piece == pieces_.size() || !pieces_[piece].row.wrapped) return 0;
  const Piece& before = pieces_[piece - 1];
  if (piece != split_) return line_length(before, &pieces_[piece].row);
  const int content = line_length(before, nullptr);
  if (before.row.wrapped || content > size_.cols) return content;
  // A row that is all of a line so far is left as it is.
  int length = std::min(before.cols, size_.cols);
  while (length > content && before.row.at(length - 1) == Cell()) --length;
  return length;
}

// Where the history ends if it ends in what it has.
History::Place Reflow::place_of(Source source) const {
  History::Place place = boundary_;
  if (source.x > 0) {
    const Piece& piece = pieces_[source.piece];
    return {.at = piece.end, .cols = piece.cols, .cut = source.x};
  }
  if (source.piece < of_history_) {
    const Piece& piece = pieces_[source.piece];
    place = {.at = piece.start, .cols = piece.cols, .cut = 0};
  }
  // Rows of the screen's width stand for themselves.
  const bool is_folded = place.cols != size_.cols && (source.piece < of_history_ || goes_on_);
  if (is_folded && place.cut == 0 && source.piece > 0 && pieces_[source.piece - 1].end == place.at)
    place.cut = continued_length(source.piece);
  return place;
}

// What lies above the screen now. Lines go there as they were written, up to one that was cut: what
// was cut off it is gone, so its rows go there as they are.
void Reflow::write_history() {
  const auto above = std::span(new_rows_).first(static_cast<std::size_t>(top_));
  const auto cut = std::ranges::find(above, true, &NewRow::is_cut) - above.begin();
  const Source end = cut > 0 ? above[static_cast<std::size_t>(cut) - 1].end : Source();
  auto shown = above.subspan(static_cast<std::size_t>(cut));
  std::span<const Piece> written(pieces_);
  const std::size_t last = end.piece + (end.x > 0 ? 1 : 0);
  written = written.subspan(of_history_, std::max(last, of_history_) - of_history_);

  // If the ring has no room for them, the oldest rows go, and with them all before them.
  std::uint64_t room = room_ - std::min(room_, 3 * History::kSizeOfPlace);
  const auto fits = [&](const Row& row, int cols) {
    const std::uint64_t size = history_.size_of(row, cols, state_.tables);
    if (size > room) return false;
    room -= size;
    return true;
  };
  std::size_t count = 0;
  while (count < shown.size() && fits(shown[shown.size() - 1 - count].row, size_.cols)) ++count;
  bool is_all = count == shown.size();
  shown = shown.last(count);
  count = 0;
  while (is_all && count < written.size() &&
         fits(written[written.size() - 1 - count].row, old_.cols))
    ++count;
  is_all = is_all && count == written.size();

  if (!is_all) {
    history_.clear();
  } else if (!written.empty()) {
    if (is_extended_) history_.end_at(boundary_, old_.cols);
  } else if (const History::Place place = place_of(end);
             reflows() || is_extended_ || place != boundary_) {
    history_.end_at(place, old_.cols);
  }
  for (const Piece& piece : written.last(count)) history_.push(piece.row, old_.cols, state_.tables);
  if (reflows() && (!is_all || !written.empty()))
    history_.end_at({.at = history_.position().end,
                     .cols = old_.cols,
                     .cut = end.x > 0 ? end.x : continued_length(end.piece)},
                    old_.cols);
  for (const NewRow& row : shown) history_.push(row.row, size_.cols, state_.tables);
}

}  // namespace vt
