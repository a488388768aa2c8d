#include "vt/history.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vt/row_codec.h"

namespace vt {

static_assert(std::endian::native == std::endian::little);

History::History(std::span<std::byte> ring, HistoryPosition position)
    : History(ring, {}, position, {}) {}

History::History(std::span<std::byte> ring, std::span<std::byte> store, HistoryPosition position,
                 FrozenPages::Release release, std::size_t page)
    : whole_(position.begin), end_(position.end), begin_(position.end) {
  if (ring.size() >= kSmallestRing) ring_ = ring;
  if (end_ > ring_.size()) whole_ = std::max(whole_, end_ - ring_.size());
  if (ring_.empty()) return;
  begin_offset_ = end_offset_ = offset(end_);
  if (ring_.size() % page == 0 && store.size() > ring_.size() / page * sizeof(std::uint64_t))
    frozen_ = std::make_unique<FrozenPages>(ring_, store, end_, std::move(release), page);
  unlearned_ = {whole_, end_};
  learn(whole_after(0));
}

// Walks back from what is known, at least to `down_to` if the history goes back that far.
void History::learn(std::uint64_t down_to) const {
  HistoryPosition& counting = unlearned_;
  counting.begin = std::max(counting.begin, whole_);
  if (counting.end <= std::max(counting.begin, down_to)) return;
  std::vector<Gap> found;
  bool is_all = false;
  while (!is_all && counting.end > down_to) {
    const std::uint64_t to = counting.end;
    if (Place place; read_mark(counting, place)) {
      if (to == end_ && place.cols > 0) {
        boundary_ = place;
        boundary_mark_end_ = end_;
      }
      if (place.cols > 0) unlearned_cols_ = place.cols;
      found.push_back({.from = counting.end, .to = to, .cols = unlearned_cols_, .cut = place.cut});
      continue;
    }
    counting.end = before(to, counting.begin);
    is_all = counting.end == to;
  }
  is_all = is_all || counting.end <= counting.begin;
  begin_ = counting.end;
  gaps_.insert(gaps_.begin() + static_cast<std::ptrdiff_t>(first_gap_), found.rbegin(),
               found.rend());
  if (is_all) {
    counting = {begin_, begin_};
    // Without a row older than it, a gap separates nothing.
    while (first_gap_ < gaps_.size() && gaps_[first_gap_].from == begin_)
      begin_ = gaps_[first_gap_++].to;
  }
  begin_offset_ = offset(begin_);
}

void History::publish(std::atomic<std::uint64_t>& begin, std::atomic<std::uint64_t>& end) {
  published_begin_ = &begin;
  published_end_ = &end;
  begin.store(whole_, std::memory_order_release);
  end.store(end_, std::memory_order_release);
}

// ---- bytes

std::uint32_t History::length_at(std::size_t offset) const {
  std::uint32_t length = 0;
  before_read(offset, sizeof(length));
  if (ring_.size() - offset >= sizeof(length)) {
    std::memcpy(&length, ring_.data() + offset, sizeof(length));
  } else {
    copy_out(offset, &length, sizeof(length));
  }
  return length;
}

void History::copy_in(std::size_t offset, std::string_view bytes) {
  before_write(offset, bytes.size());
  const std::size_t first = std::min(bytes.size(), ring_.size() - offset);
  std::memcpy(ring_.data() + offset, bytes.data(), first);
  std::memcpy(ring_.data(), bytes.data() + first, bytes.size() - first);
}

void History::copy_out(std::size_t offset, void* to, std::size_t count) const {
  before_read(offset, count);
  const std::size_t first = std::min(count, ring_.size() - offset);
  std::memcpy(to, ring_.data() + offset, first);
  std::memcpy(static_cast<std::byte*>(to) + first, ring_.data(), count - first);
}

// The start of the row that ends at `position`, or `position` itself if there is no valid row that
// starts at `least` or later.
std::uint64_t History::before(std::uint64_t position, std::uint64_t least) const {
  if (position < least || position - least <= kFrame) return position;
  const std::uint64_t size = length_at(offset(position - kLengthSize)) + kFrame;
  if (size == kFrame || size > position - least ||
      length_at(offset(position - size)) + kFrame != size)
    return position;
  return position - size;
}

// Steps back over the mark at the end, to the rows that it keeps. False if there is no mark.
bool History::read_mark(HistoryPosition& counting, Place& place) const {
  if (counting.end < counting.begin) return false;
  const std::uint64_t room = counting.end - counting.begin;
  if (room < kMarkSize) return false;
  const std::uint32_t length = length_at(offset(counting.end - kLengthSize));
  const bool has_place = length == (kIsMark | kPlaceLength);
  if (!has_place && length != (kIsMark | kMarkLength)) return false;
  const std::uint64_t size = (length & ~kIsMark) + kFrame;
  if (size > room || length_at(offset(counting.end - size)) != length) return false;
  Mark mark;
  copy_out(offset(counting.end - size + kLengthSize), &mark, length & ~kIsMark);
  if (has_place && (mark.cols == 0 || mark.cols > kMaxSide || mark.cut > mark.cols)) return false;
  const std::uint64_t start = counting.end - size;
  counting = {std::max(counting.begin, mark.counting.begin), std::min(start, mark.counting.end)};
  place = {
      .at = counting.end, .cols = static_cast<int>(mark.cols), .cut = static_cast<int>(mark.cut)};
  return true;
}

// ---- writing

// Frees the next `size` bytes, which must fit in the ring. Rows that are in the way are dropped.
void History::claim(std::size_t size) {
  while (!is_empty() && end_ - begin_ + size > ring_.size()) drop_oldest();
  if (end_ + size > whole_ + ring_.size()) begin_whole_at(end_ + size - ring_.size());
}

// Call before the bytes below are overwritten.
void History::begin_whole_at(std::uint64_t position) {
  whole_ = position;
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

void History::append_mark(const Mark& mark, std::uint32_t length) {
  const std::uint32_t frame = length | kIsMark;
  char record[kSizeOfPlace];
  std::memcpy(record, &frame, kLengthSize);
  std::memcpy(record + kLengthSize, &mark, length);
  std::memcpy(record + kLengthSize + length, &frame, kLengthSize);
  append({record, length + kFrame});
}

// A row with its frame, until the next one is encoded.
std::string_view History::encode(const Row& row, int cols, const Tables& tables) {
  thread_local ByteBuffer record;
  record.clear();
  record.commit(record.room(kLengthSize) + kLengthSize);
  encode_row(row, cols, tables, record);
  const auto length = static_cast<std::uint32_t>(record.size() - kLengthSize);
  std::memcpy(record.data(), &length, kLengthSize);
  record.append({reinterpret_cast<const char*>(&length), kLengthSize});
  return record.view();
}

std::uint64_t History::size_of(const Row& row, int cols, const Tables& tables) {
  return encode(row, cols, tables).size();
}

// Writes straight into the ring, if the row carries its encoding and does not cross the ring's end.
bool History::push_encoded(const Row& row, int cols) {
  const std::string_view cells = row.encoded();
  const std::size_t size = cells.size() + 1 + kFrame;
  const bool has_more = (row.marks.bits & PromptMarks::kHasStatus) != 0 || row.marks.start != 0;
  if (has_more || !has_whole_encoding(row, cols) || size > ring_.size() - end_offset_) return false;
  claim(size);
  before_write(end_offset_, size);
  std::byte* const at = ring_.data() + end_offset_;
  const auto length = static_cast<std::uint32_t>(size - kFrame);
  std::memcpy(at, &length, kLengthSize);
  at[kLengthSize] = static_cast<std::byte>(row_flags(row));
  if (!cells.empty()) std::memcpy(at + kLengthSize + 1, cells.data(), cells.size());
  std::memcpy(at + size - kLengthSize, &length, kLengthSize);
  advance(size);
  return true;
}

bool History::push(const Row& row, int cols, const Tables& tables) {
  if (ring_.empty() || push_encoded(row, cols)) return true;
  const std::string_view record = encode(row, cols, tables);
  // A row that does not fit clears everything before it: the history has no gaps.
  if (record.size() > ring_.size())
    clear();
  else
    append(record);
  return false;
}

void History::drop_oldest() {
  const std::uint64_t size = length_at(begin_offset_) + kFrame;
  if (size > end_ - begin_) return forget();
  begin_ += size;
  begin_offset_ += size;
  if (begin_offset_ >= ring_.size()) begin_offset_ -= ring_.size();
  while (first_gap_ < gaps_.size() && gaps_[first_gap_].from <= begin_) drop_gap();
}

void History::drop_gap() {
  begin_ = gaps_[first_gap_++].to;
  begin_offset_ = offset(begin_);
  if (2 * first_gap_ < gaps_.size()) return;
  gaps_.erase(gaps_.begin(), gaps_.begin() + static_cast<std::ptrdiff_t>(first_gap_));
  first_gap_ = 0;
}

// ---- freezing

bool History::freeze(std::uint64_t below, int most) {
  if (!frozen_) return false;
  const std::uint64_t page = frozen_->page();
  const std::uint64_t warm = frozen_->kept_warm();
  const std::uint64_t until = std::min(below, end_) - std::min({below, end_, warm});
  for (std::uint64_t at = (whole_ + page - 1) / page * page; at + page <= until; at += page) {
    const std::size_t number = offset(at) / page;
    if (!frozen_->is_in_ring(number)) continue;
    if (most-- == 0) return true;
    while (!frozen_->freeze(number))
      if (at < whole_ || !drop_page()) return false;
  }
  return false;
}

// Drops the oldest page to make room in the store. False if none may go.
bool History::drop_page() {
  const std::uint64_t page = frozen_->page();
  const std::uint64_t next = (whole_ / page + 1) * page;
  if (next > whole_after(0)) return false;
  while (!is_empty() && begin_ < next) drop_oldest();
  begin_whole_at(next);
  frozen_->forget(offset(next - page) / page);
  return true;
}

void History::forget() {
  unlearned_ = {end_, end_};
  begin_ = end_;
  begin_offset_ = end_offset_;
  gaps_.clear();
  first_gap_ = 0;
}

// Write the mark even if there is nothing to clear: what is written must not depend on how much
// history is left, so that replayed output goes to the same positions.
void History::clear() {
  forget();
  if (!ring_.empty()) append_mark({.counting = {end_, end_}}, kMarkLength);
  forget();
}

History::Place History::boundary(int cols) const {
  const bool is_marked = boundary_.cols > 0 && boundary_mark_end_ == end_;
  return is_marked ? boundary_ : Place{.at = end_, .cols = cols, .cut = 0};
}

std::uint64_t History::floor() const {
  return is_empty() ? boundary(0).at : begin_;
}

void History::end_at(Place place, int cols) {
  if (ring_.empty()) return;
  for (std::size_t i = gaps_.size(); i > first_gap_ && gaps_[i - 1].cols == 0; --i)
    gaps_[i - 1].cols = cols;
  append_mark({.counting = {0, place.at},
               .cols = static_cast<std::uint32_t>(place.cols),
               .cut = static_cast<std::uint32_t>(place.cut)},
              kPlaceLength);
  set_boundary(place);
}

void History::extend_to(Place place) {
  if (is_empty()) {
    begin_ = floor();
    begin_offset_ = offset(begin_);
  }
  set_boundary(place);
}

void History::set_boundary(Place place) {
  boundary_ = place;
  boundary_mark_end_ = end_;
  learn(place.at);
  while (gaps_.size() > first_gap_ && gaps_.back().to > place.at) gaps_.pop_back();
  if (begin_ >= place.at) return forget();
  gaps_.push_back({.from = place.at, .to = end_, .cols = place.cols, .cut = place.cut});
}

}  // namespace vt
