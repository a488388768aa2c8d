// Reads the history: walks from record to record and folds the rows.

#include <algorithm>
#include <cstring>
#include <limits>

#include "vt/history.h"
#include "vt/row_codec.h"

namespace vt {

// ---- walking

// The width of the rows before a gap, or of the newest.
int History::cols_before(std::size_t gap, int screen_cols) const {
  return gap < gaps_.size() && gaps_[gap].cols > 0 ? gaps_[gap].cols : screen_cols;
}

History::Walk History::forward_from(std::uint64_t at, std::size_t gap, int screen_cols) const {
  while (gap < gaps_.size() && gaps_[gap].from == at) at = gaps_[gap++].to;
  return {.at = at, .gap = gap, .screen_cols = screen_cols};
}

// The next record, if it ends at `until` or before.
bool History::next(Walk& walk, std::uint64_t until, Record& record) const {
  const Gap* const gap = walk.gap < gaps_.size() ? &gaps_[walk.gap] : nullptr;
  const std::uint64_t limit = gap != nullptr ? std::min(gap->from, until) : until;
  if (walk.at >= limit) return false;
  const std::uint64_t size = length_at(offset(walk.at)) + kFrame;
  if (size == kFrame || size > limit - walk.at) return false;
  record = {
      .start = walk.at, .end = walk.at + size, .cols = cols_before(walk.gap, walk.screen_cols)};
  walk = forward_from(record.end, walk.gap, walk.screen_cols);
  if (gap != nullptr && gap->from == record.end) {
    record.cut = gap->cut;
    record.ends = record.cut == 0 && record.cols != cols_before(walk.gap, walk.screen_cols);
  }
  return true;
}

History::Walk History::backward_from(Place place, int screen_cols) const {
  const auto after = std::ranges::upper_bound(
      gaps_.begin() + static_cast<std::ptrdiff_t>(first_gap_), gaps_.end(), place.at, {}, &Gap::to);
  return {.at = place.at,
          .gap = static_cast<std::size_t>(after - gaps_.begin()),
          .screen_cols = screen_cols,
          .cols_after = screen_cols,
          .cols = place.cols,
          .cut = place.cut};
}

// The previous record, if it starts at `least` or later.
bool History::previous(Walk& walk, std::uint64_t least, Record& record) const {
  while (walk.gap > first_gap_ && gaps_[walk.gap - 1].to == walk.at) {
    const Gap& gap = gaps_[--walk.gap];
    walk.at = gap.from;
    walk.cols = cols_before(walk.gap, walk.screen_cols);
    walk.cut = gap.cut;
  }
  const std::uint64_t start = before(walk.at, std::max(least, floor()));
  if (start == walk.at) return false;
  record = {.start = start,
            .end = walk.at,
            .cols = walk.cols,
            .cut = walk.cut,
            .ends = walk.cut == 0 && walk.cols != walk.cols_after};
  walk.at = start;
  walk.cut = 0;
  walk.cols_after = walk.cols;
  return true;
}

// Whether the row that starts there continues the one before.
bool History::continues(std::uint64_t start) const {
  const std::size_t at = offset(start + kLengthSize);
  before_read(at, 1);
  return (ring_[at] & std::byte{1}) != std::byte{0};
}

void History::decode(const Record& record, Tables& tables, std::string& scratch, Row& row) const {
  const std::size_t at = offset(record.start + kLengthSize);
  const std::size_t size = record.end - record.start - kFrame;
  before_read(at, size);
  std::string_view bytes(reinterpret_cast<const char*>(ring_.data()) + at, size);
  if (at + size > ring_.size()) {
    scratch.resize(size);
    copy_out(at, scratch.data(), size);
    bytes = scratch;
  }
  if (!decode_row(bytes, record.cols, tables, row)) row.reset(Cell());
}

int History::rows() const {
  learn(0);
  int count = 0;
  Record record;
  if (is_empty()) return 0;
  for (Walk walk = forward_from(begin_, first_gap_, 0); next(walk, end_, record);) ++count;
  return count;
}

// ---- rows, from old to new

void History::Reader::place(int cols, Tables& tables) {
  is_placed_ = true;
  walk_ = history_.forward_from(history_.begin_, history_.first_gap_, cols);
  if (history_.is_empty() || wanted_ <= 0) return;
  until_ = history_.end_;
  if (wanted_ == std::numeric_limits<int>::max()) return;
  Tail tail(history_, history_.boundary(cols), 0, cols);
  Row row;
  int found = 0;
  for (Tail::Span span;
       found < wanted_ && tail.older_span(span, std::numeric_limits<int>::max());) {
    walk_ = span.from;
    if (span.is_as_written) {
      found += span.records;
    } else {
      for (Reader line = tail.read(span); line.read(cols, tables, row);) ++found;
    }
  }
  for (; found > wanted_; --found) static_cast<void>(read(cols, tables, row));
}

bool History::Reader::next(int cols, Tables& tables, Row& row) {
  if (!is_placed_) place(cols, tables);
  return read(cols, tables, row);
}

bool History::Reader::read(int cols, Tables& tables, Row& row) {
  while (true) {
    if (taken_ < fold_.ready()) {
      std::swap(row, fold_.rows()[taken_++].row);
      return true;
    }
    if (taken_ > 0) fold_.drop(std::exchange(taken_, 0));
    Record record;
    if (!history_.next(walk_, until_, record)) return false;
    history_.decode(record, tables, scratch_, row);
    const bool is_whole = record.cut == 0 || record.cut == cols;
    if (record.cols == cols && is_whole && !in_line_) {
      has_passed_ = !record.ends;
      return true;
    }
    if (!in_line_) fold_.begin(cols, 0);
    if (has_passed_ && row.wrapped) fold_.passed();
    has_passed_ = false;
    in_line_ = !record.ends && walk_.at < until_ && history_.continues(walk_.at);
    fold(record, cols, tables, row);
  }
}

void History::Reader::fold(const Record& record, int cols, Tables& tables, Row& row) {
  const bool whole = is_whole(row, record.cols, record.cut);
  const bool alone = fold_.is_at_begin() && !in_line_ && record.cut == 0 &&
                     row.content_length(record.cols) <= cols;
  if (whole && (alone || record.cols == cols)) {
    fold_.add_whole(std::move(row), record.cols);
  } else if (record.cut > 0) {
    fold_.add(row, record.cols, record.cut);
  } else {
    Row after;
    Walk ahead = walk_;
    Record next;
    if (in_line_ && history_.next(ahead, until_, next))
      history_.decode(next, tables, scratch_, after);
    fold_.add(row, record.cols, line_length(row, record.cols, in_line_ ? &after : nullptr));
  }
  if (!in_line_) fold_.end(record.cut > 0);
  if (cols == 1)
    for (FoldedRow& folded : fold_.rows()) make_plain(folded.row, cols, tables);
}

// ---- lines, from new to old

bool History::Tail::goes_on() const {
  Walk walk = walk_;
  Record record;
  return history_.previous(walk, least_, record) && !record.ends;
}

bool History::Tail::older_span(Span& span, int most_cells) {
  Record record;
  if (!history_.previous(walk_, least_, record)) return false;
  span = {};
  span.until = record.end;
  for (int cells = 0;;) {
    span.from = history_.forward_from(record.start, walk_.gap, walk_.screen_cols);
    ++span.records;
    if (record.cols != walk_.screen_cols || (record.cut > 0 && record.cut != record.cols))
      span.is_as_written = false;
    cells += record.cols;
    if (!history_.continues(record.start) || cells >= most_cells) return true;
    Walk back = walk_;
    if (!history_.previous(back, least_, record) || record.ends) return true;
    walk_ = back;
  }
}

std::vector<Piece> History::Tail::older_line(Tables& tables) {
  std::vector<Piece> line;
  Span span;
  if (!older_span(span, kMostCells)) return line;
  std::string scratch;
  Record record;
  for (Walk walk = span.from; history_.next(walk, span.until, record);) {
    Piece& piece = line.emplace_back();
    piece.cols = record.cols;
    piece.cut = record.cut;
    piece.start = record.start;
    piece.end = record.end;
    history_.decode(record, tables, scratch, piece.row);
  }
  return line;
}

std::vector<Piece> History::Tail::line_ahead(Place& place, Tables& tables) const {
  std::vector<Piece> line;
  const std::uint64_t mark = history_.end_ - std::min(history_.end_, kSizeOfPlace);
  if (history_.ring_.empty() || history_.boundary_mark_end_ != history_.end_ || place.at < least_ ||
      place.at > mark)
    return line;
  std::string scratch;
  int cells = 0;
  const auto take = [&](std::uint64_t start, std::uint64_t end) {
    Piece& piece = line.emplace_back();
    piece.cols = place.cols;
    piece.start = start;
    piece.end = end;
    const Record record{.start = start, .end = end, .cols = place.cols};
    history_.decode(record, tables, scratch, piece.row);
    cells += piece.cols;
  };
  if (place.cut > 0) {
    const std::uint64_t start = history_.before(place.at, least_);
    if (start == place.at) return line;
    take(start, place.at);
  }
  while (cells < kMostCells && mark - place.at > kFrame) {
    const std::uint64_t size = history_.length_at(history_.offset(place.at)) + kFrame;
    if (size == kFrame || size > mark - place.at ||
        history_.before(place.at + size, place.at) != place.at ||
        (!line.empty() && !history_.continues(place.at)))
      break;
    take(place.at, place.at + size);
    place.at += size;
  }
  place.cut = 0;
  return line;
}

// ---- bytes

void History::append_newest(std::size_t most, int cols, std::string& out) const {
  std::vector<std::string> lines;
  Tail tail(*this, boundary(cols), 0, cols);
  Tables tables;
  Row row;
  ByteBuffer encoded;
  std::size_t left = most;
  for (Tail::Span span; tail.older_span(span, Tail::kMostCells);) {
    std::string& line = lines.emplace_back();
    Record record;
    if (span.is_as_written) {
      for (Walk walk = span.from; next(walk, span.until, record);) {
        const std::size_t before = line.size();
        line.resize(before + (record.end - record.start) - kLengthSize);
        copy_out(offset(record.start), line.data() + before, line.size() - before);
      }
    } else {
      for (Reader reader = tail.read(span); reader.next(cols, tables, row);) {
        encoded.clear();
        encode_row(row, cols, tables, encoded);
        const auto length = static_cast<std::uint32_t>(encoded.size());
        line.append(reinterpret_cast<const char*>(&length), sizeof length);
        line.append(encoded.view());
      }
    }
    // For the oldest line, the newest rows that fit.
    std::size_t skipped = 0;
    while (line.size() - skipped > left) {
      std::uint32_t length = 0;
      std::memcpy(&length, line.data() + skipped, sizeof length);
      skipped += sizeof length + length;
    }
    line.erase(0, skipped);
    left -= line.size();
    if (skipped > 0) break;
  }
  for (std::size_t i = lines.size(); i > 0; --i) out += lines[i - 1];
}

}  // namespace vt
