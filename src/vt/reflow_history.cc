// What a resize takes from the history and gives to it.

#include <algorithm>
#include <iterator>
#include <utility>

#include "vt/reflow.h"

namespace vt {
namespace {

bool is_same(const Row& a, const Row& b, int cols) {
  if (a.wrapped != b.wrapped || a.marks != b.marks) return false;
  for (int x = 0; x < cols; ++x)
    if (a.at(x) != b.at(x)) return false;
  return true;
}

}  // namespace

// Rows that came back onto the screen at an earlier resize are still in the ring. Where the screen
// shows them unchanged, the history takes them back and nothing is written. So making a window
// smaller and larger all day loses nothing.
void Reflow::recognise() {
  History::Place place = history_.boundary(old_.cols);
  History::Tail tail(history_, place, least_, old_.cols);
  for (bool goes_on = true; goes_on;) {
    // The history's part of the line that contains `place`, except the piece at `place`.
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

// Compares what follows `place`, which is in piece `number` of the line or before it, with the
// screen's rows above the cursor. True if all of it is shown; otherwise `place` moves.
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
  // The screen continues another line.
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

// Takes lines from the history until they make that many rows at the old width, and in any case the
// line that continues on the screen.
void Reflow::gather(int wanted) {
  const Row* next = goes_on_ ? &screen_.front() : nullptr;
  bool takes_line = reflows() && goes_on_;
  while (takes_line || gathered_ < wanted) {
    lines_.push_back(next_line());
    if (lines_.back().empty()) return lines_.pop_back();
    folded_.push_back(fold_line(lines_.back(), 0, next, old_.cols));
    gathered_ += static_cast<int>(folded_.back().size());
    takes_line = false;
    next = nullptr;
  }
}

// If a piece continues the previous one, how much of the previous one belongs to the line.
int Reflow::continued_length(std::size_t piece) const {
  if (piece == 0 || piece == pieces_.size() || !pieces_[piece].row.wrapped) return 0;
  const Piece& before = pieces_[piece - 1];
  if (piece != split_) return line_length(before, &pieces_[piece].row);
  const int content = line_length(before, nullptr);
  if (before.row.wrapped || content > size_.cols) return content;
  // A row that is the whole line so far is left unchanged.
  int length = std::min(before.cols, size_.cols);
  while (length > content && before.row.at(length - 1) == Cell()) --length;
  return length;
}

// Where the history ends, if that is inside what it has.
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
  // Rows of the screen's width need no folding.
  const bool is_folded = place.cols != size_.cols && (source.piece < of_history_ || goes_on_);
  if (is_folded && place.cut == 0 && source.piece > 0 && pieces_[source.piece - 1].end == place.at)
    place.cut = continued_length(source.piece);
  return place;
}

// The last rows, as many as fit into `room`, which is reduced.
template <class T>
std::span<const T> Reflow::last_that_fit(std::span<const T> rows, int cols, std::uint64_t& room) {
  std::size_t count = 0;
  for (; count < rows.size(); ++count) {
    const std::uint64_t size =
        history_.size_of(rows[rows.size() - 1 - count].row, cols, state_.tables);
    if (size > room) break;
    room -= size;
  }
  return rows.last(count);
}

// Moves what is now above the screen into the history. Lines go there as written, up to one that
// was cut: its rest is gone, so its rows go there as they are.
void Reflow::write_history() {
  const auto above = std::span<const NewRow>(new_rows_).first(static_cast<std::size_t>(top_));
  const auto cut = std::ranges::find(above, true, &NewRow::is_cut) - above.begin();
  const Source end = cut > 0 ? above[static_cast<std::size_t>(cut) - 1].end : Source();
  const auto shown = above.subspan(static_cast<std::size_t>(cut));
  std::span<const Piece> written(pieces_);
  const std::size_t last = end.piece + (end.x > 0 ? 1 : 0);
  written = written.subspan(of_history_, std::max(last, of_history_) - of_history_);

  // If there is no room for them, drop the oldest rows and everything before them.
  std::uint64_t room = room_ - std::min(room_, 3 * History::kSizeOfPlace);
  const auto kept_shown = last_that_fit(shown, size_.cols, room);
  if (kept_shown.size() < shown.size()) room = 0;
  const auto kept_written = last_that_fit(written, old_.cols, room);
  const bool is_all = kept_shown.size() == shown.size() && kept_written.size() == written.size();

  if (!is_all) {
    history_.clear();
  } else if (!written.empty()) {
    if (is_extended_) history_.end_at(boundary_, old_.cols);
  } else if (const History::Place place = place_of(end);
             reflows() || is_extended_ || place != boundary_) {
    history_.end_at(place, old_.cols);
  }
  for (const Piece& piece : kept_written) history_.push(piece.row, old_.cols, state_.tables);
  if (reflows() && (!is_all || !written.empty()))
    history_.end_at({.at = history_.position().end,
                     .cols = old_.cols,
                     .cut = end.x > 0 ? end.x : continued_length(end.piece)},
                    old_.cols);
  for (const NewRow& row : kept_shown) history_.push(row.row, size_.cols, state_.tables);
}

}  // namespace vt
