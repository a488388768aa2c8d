#include "vt/history.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vt/row_codec.h"

namespace vt {
namespace {

// A record is its length, its bytes, and its length again, so that it can be walked both ways.
constexpr std::uint32_t kLengthSize = sizeof(std::uint32_t);
constexpr std::uint64_t kFrame = std::uint64_t{2} * kLengthSize;
// A mark's bytes are two positions: of what lies before it, only the rows between them count.
constexpr std::uint32_t kIsMark = 0x8000'0000;
constexpr std::uint32_t kMarkLength = sizeof(HistoryPosition);
constexpr std::uint64_t kMarkSize = kMarkLength + kFrame;
static_assert(std::endian::native == std::endian::little);

}  // namespace

History::History(std::span<std::byte> ring, HistoryPosition position, int max_rows)
    : whole_(position.begin), begin_(position.end), end_(position.end), max_rows_(max_rows) {
  // A ring that has no room for a mark has room for nothing.
  if (ring.size() >= kMarkSize) ring_ = ring;
  if (end_ > ring_.size()) whole_ = std::max(whole_, end_ - ring_.size());
  if (ring_.empty()) return;
  HistoryPosition counting{std::max(whole_, end_ - std::min<std::uint64_t>(capacity(), end_)),
                           end_};
  while (max_rows_ == kNoRowLimit || rows_ < max_rows_) {
    const HistoryPosition older = over_marks(counting);
    const std::uint64_t start = before(older.end, older.begin);
    if (start == older.end) break;
    if (older.end != counting.end) gaps_.push_back({.from = older.end, .to = counting.end});
    counting = {older.begin, start};
    ++rows_;
  }
  std::ranges::reverse(gaps_);
  // Without a row older than it, a gap separates nothing.
  if (!gaps_.empty() && rows_ == 0) gaps_.clear();
  begin_ = counting.end;
  begin_offset_ = offset(begin_);
  end_offset_ = offset(end_);
}

void History::publish(std::atomic<std::uint64_t>& begin, std::atomic<std::uint64_t>& end) {
  published_begin_ = &begin;
  published_end_ = &end;
  begin.store(whole_, std::memory_order_release);
  end.store(end_, std::memory_order_release);
}

// ---- walking

std::uint32_t History::length_at(std::size_t offset) const {
  std::uint32_t length = 0;
  if (ring_.size() - offset >= sizeof(length)) {
    std::memcpy(&length, ring_.data() + offset, sizeof(length));
  } else {
    copy_out(offset, &length, sizeof(length));
  }
  return length;
}

// The start of the row that ends at `position`, or `position` itself if there is no sound one that
// starts at `least` or later.
std::uint64_t History::before(std::uint64_t position, std::uint64_t least) const {
  if (position < least || position - least < kFrame) return position;
  const std::uint64_t size = length_at(offset(position - kLengthSize)) + kFrame;
  if (size == kFrame || size > position - least ||
      length_at(offset(position - size)) + kFrame != size)
    return position;
  return position - size;
}

// Steps back over the marks at the end of what counts, to what they leave of it.
HistoryPosition History::over_marks(HistoryPosition counting) const {
  const std::uint32_t length = kMarkLength | kIsMark;
  while (counting.end >= counting.begin && counting.end - counting.begin >= kMarkSize) {
    const std::uint64_t start = counting.end - kMarkSize;
    if (length_at(offset(counting.end - kLengthSize)) != length ||
        length_at(offset(start)) != length)
      break;
    HistoryPosition older;
    copy_out(offset(start + kLengthSize), &older, sizeof(older));
    counting = {std::max(counting.begin, older.begin), std::min(start, older.end)};
  }
  return counting;
}

// The start of the row that counts before the one that starts at `position`, or before the end.
std::uint64_t History::previous(std::uint64_t position) const {
  return before(before_gap(position), begin_);
}

// No gap begins where another ends: they are made as one.
std::uint64_t History::before_gap(std::uint64_t position) const {
  const auto gap = std::ranges::lower_bound(gaps_, position, {}, &Gap::to);
  return gap != gaps_.end() && gap->to == position ? gap->from : position;
}

std::uint64_t History::after_gap(std::uint64_t position) const {
  const auto gap = std::ranges::lower_bound(gaps_, position, {}, &Gap::from);
  return gap != gaps_.end() && gap->from == position ? gap->to : position;
}

// How many of the newest rows start at `position` or later, counted up to `most`.
int History::rows_from(std::uint64_t position, int most) const {
  int count = 0;
  for (std::uint64_t at = end_; count < std::min(most, rows_); ++count) {
    at = previous(at);
    if (at < position) break;
  }
  return count;
}

// ---- writing

void History::copy_in(std::size_t offset, std::string_view bytes) {
  const std::size_t first = std::min(bytes.size(), ring_.size() - offset);
  std::memcpy(ring_.data() + offset, bytes.data(), first);
  std::memcpy(ring_.data(), bytes.data() + first, bytes.size() - first);
}

void History::copy_out(std::size_t offset, void* to, std::size_t count) const {
  const std::size_t first = std::min(count, ring_.size() - offset);
  std::memcpy(to, ring_.data() + offset, first);
  std::memcpy(static_cast<std::byte*>(to) + first, ring_.data(), count - first);
}

// Makes the next `size` bytes free, which fit the ring. The rows that are in their way go.
void History::claim(std::size_t size) {
  while (rows_ > 0 && end_ - begin_ + size > capacity()) drop_oldest();
  if (end_ + size <= whole_ + ring_.size()) return;
  whole_ = end_ + size - ring_.size();
  if (published_begin_ == nullptr) return;
  published_begin_->store(whole_, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
}

void History::advance(std::size_t size) {
  end_ += size;
  end_offset_ += size;
  if (end_offset_ >= ring_.size()) end_offset_ -= ring_.size();
  if (published_end_ != nullptr) published_end_->store(end_, std::memory_order_release);
}

void History::append(std::string_view record) {
  claim(record.size());
  copy_in(end_offset_, record);
  advance(record.size());
}

void History::append_mark(HistoryPosition counting) {
  const std::uint32_t length = kMarkLength | kIsMark;
  char record[kMarkSize];
  std::memcpy(record, &length, kLengthSize);
  std::memcpy(record + kLengthSize, &counting, kMarkLength);
  std::memcpy(record + kLengthSize + kMarkLength, &length, kLengthSize);
  append({record, kMarkSize});
}

// Into record_, with its frame.
void History::encode(const Row& row, int cols, const Tables& tables) {
  record_.clear();
  record_.commit(record_.room(kLengthSize) + kLengthSize);
  encode_row(row, cols, tables, record_);
  const auto length = static_cast<std::uint32_t>(record_.size() - kLengthSize);
  std::memcpy(record_.data(), &length, kLengthSize);
  record_.append({reinterpret_cast<const char*>(&length), kLengthSize});
}

// Straight into the ring, if the row carries its encoding and does not meet the ring's end.
bool History::push_encoded(const Row& row) {
  const std::string_view cells = row.encoded();
  const std::size_t size = cells.size() + 1 + kFrame;
  const bool has_status = (row.marks.bits & PromptMarks::kHasStatus) != 0;
  if (has_status || !has_whole_encoding(row) ||
      size > std::min(ring_.size() - end_offset_, capacity()))
    return false;
  if (is_full()) drop_oldest();
  claim(size);
  std::byte* const at = ring_.data() + end_offset_;
  const auto length = static_cast<std::uint32_t>(size - kFrame);
  std::memcpy(at, &length, kLengthSize);
  at[kLengthSize] = static_cast<std::byte>(row_flags(row));
  if (!cells.empty()) std::memcpy(at + kLengthSize + 1, cells.data(), cells.size());
  std::memcpy(at + size - kLengthSize, &length, kLengthSize);
  advance(size);
  ++rows_;
  return true;
}

void History::push(const Row& row, int cols, const Tables& tables) {
  if (max_rows_ == 0 || ring_.empty()) return;
  if (push_encoded(row)) return;
  encode(row, cols, tables);
  // What does not fit takes everything before it along: history has no gaps.
  if (record_.size() > capacity()) return clear();
  if (is_full()) drop_oldest();
  append(record_.view());
  ++rows_;
}

void History::drop_oldest() {
  const std::uint64_t size = length_at(begin_offset_) + kFrame;
  if (size > end_ - begin_ || --rows_ == 0) return forget();
  begin_ += size;
  begin_offset_ += size;
  if (begin_offset_ >= ring_.size()) begin_offset_ -= ring_.size();
  if (!gaps_.empty() && gaps_.front().from <= begin_) {
    begin_ = gaps_.front().to;
    begin_offset_ = offset(begin_);
    gaps_.erase(gaps_.begin());
  }
}

void History::forget() {
  begin_ = end_;
  begin_offset_ = end_offset_;
  gaps_.clear();
  rows_ = 0;
}

// The mark is written even if there is nothing to clear: what is written does not depend on how
// much of the past is still there, so that output that is played again goes to the same positions.
void History::clear() {
  rows_ = 0;
  if (!ring_.empty()) append_mark({end_, end_});
  forget();
}

// A row that is taken back has to survive the mark that says so.
int History::removable(int most) const {
  return rows_from(end_ + kMarkSize - std::min<std::uint64_t>(ring_.size(), end_ + kMarkSize),
                   most);
}

void History::remove_newest(int count) {
  if (count <= 0 || ring_.empty()) return;
  std::uint64_t at = end_;
  for (int i = 0; i < count; ++i) at = previous(at);
  at = before_gap(at);
  rows_ -= count;
  append_mark({begin_, at});
  if (rows_ <= 0) return forget();
  std::erase_if(gaps_, [at](const Gap& gap) { return gap.from >= at; });
  gaps_.push_back({.from = at, .to = end_});
}

// One half holds the old rows while the other is written.
int History::rewritable() const {
  return rows_from(end_ - std::min<std::uint64_t>(capacity(), end_), rows_);
}

void History::rewrite(std::span<const Row> rows, int cols, const Tables& tables) {
  std::uint64_t total = kMarkSize;
  std::size_t first = rows.size();
  for (; first > 0; --first) {
    encode(rows[first - 1], cols, tables);
    total += record_.size();
    if (total > capacity()) break;
  }
  clear();
  for (const Row& row : rows.subspan(first)) push(row, cols, tables);
}

// ---- reading

void History::append_newest(std::size_t most, std::string& out) const {
  std::uint64_t at = end_;
  int count = 0;
  std::size_t size = 0;
  for (; count < rows_; ++count) {
    const std::uint64_t start = previous(at);
    const std::size_t record = length_at(offset(start)) + kLengthSize;
    if (size + record > most) break;
    size += record;
    at = start;
  }
  out.reserve(out.size() + size);
  for (; count > 0; --count) {
    const std::size_t record = length_at(offset(at)) + kLengthSize;
    if (record + kLengthSize > end_ - at || record > size) return;
    size -= record;
    const std::size_t before = out.size();
    out.resize(before + record);
    copy_out(offset(at), out.data() + before, record);
    at = after_gap(at + record + kLengthSize);
  }
}

History::Reader::Reader(const History& history, int rows)
    : history_(history), at_(history.begin_), left_(history.rows_) {
  if (rows >= left_) return;
  left_ = std::max(rows, 0);
  at_ = history_.end_;
  for (int i = 0; i < left_; ++i) at_ = history_.previous(at_);
}

bool History::Reader::next(int cols, Tables& tables, Row& row) {
  if (left_ == 0) return false;
  --left_;
  const std::uint32_t length = history_.length_at(history_.offset(at_));
  if (at_ + length + kFrame > history_.end_) {
    left_ = 0;
    return false;
  }
  scratch_.resize(length);
  history_.copy_out(history_.offset(at_ + kLengthSize), scratch_.data(), length);
  if (!decode_row(scratch_, cols, tables, row)) row.reset(Cell());
  at_ = history_.after_gap(at_ + length + kFrame);
  return true;
}

}  // namespace vt
