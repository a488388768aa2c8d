#include "vt/history.h"

#include <algorithm>
#include <cstring>

#include "vt/row_codec.h"

namespace vt {
namespace {

// A record is its length, its bytes, and its length again, so that it can be walked both ways.
constexpr std::uint32_t kLengthSize = sizeof(std::uint32_t);
constexpr std::uint64_t kFrame = std::uint64_t{2} * kLengthSize;
// No record has this length: whoever walks back stops here.
constexpr std::uint32_t kBarrier = 0xffffffff;

}  // namespace

History::History(std::span<std::byte> ring, HistoryPosition position, int max_rows)
    : ring_(ring), position_(position), max_rows_(max_rows), max_bytes_(ring.size()) {
  if (position_.begin > position_.end || position_.end - position_.begin > ring_.size())
    position_.begin = position_.end;
  std::uint64_t at = position_.end;
  while (at > position_.begin) {
    const std::uint64_t previous = before(at);
    if (previous == at) break;
    at = previous;
    ++rows_;
  }
  position_.begin = at;
  if (!ring_.empty()) {
    begin_offset_ = offset(position_.begin);
    end_offset_ = offset(position_.end);
  }
  while (max_rows_ != kNoRowLimit && rows_ > max_rows_) drop_oldest();
}

History History::recoverable(std::span<std::byte> ring, std::uint64_t end) {
  // The barrier between old and rewritten rows must fit as well.
  const std::size_t most = std::max<std::size_t>(ring.size() / 2, kLengthSize) - kLengthSize;
  History history(ring, {.begin = end > most ? end - most : 0, .end = end});
  history.max_bytes_ = most;
  history.recoverable_ = true;
  return history;
}

// The start of the record that ends at `position`, or `position` itself if there is no sound one.
std::uint64_t History::before(std::uint64_t position) const {
  const std::uint64_t available = position - position_.begin;
  if (available < kFrame) return position;
  const std::uint64_t size = length_at(offset(position - kLengthSize)) + kFrame;
  if (size > available || length_at(offset(position - size)) + kFrame != size) return position;
  return position - size;
}

std::uint32_t History::length_at(std::size_t offset) const {
  std::uint32_t length = 0;
  if (ring_.size() - offset >= sizeof(length)) {
    std::memcpy(&length, ring_.data() + offset, sizeof(length));
  } else {
    copy_out(offset, &length, sizeof(length));
  }
  return length;
}

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

void History::read(std::uint64_t position, std::uint32_t length, std::string& out) const {
  out.resize(length);
  copy_out(offset(position + kLengthSize), out.data(), length);
}

void History::drop_oldest() {
  const std::uint64_t size = length_at(begin_offset_) + kFrame;
  if (size > position_.end - position_.begin) return clear();
  position_.begin += size;
  begin_offset_ += size;
  if (begin_offset_ >= ring_.size()) begin_offset_ -= ring_.size();
  --rows_;
}

void History::encode(const Row& row, int cols, const Tables& tables) {
  record_.clear();
  record_.commit(record_.room(kLengthSize) + kLengthSize);
  encode_row(row, cols, tables, record_);
  const auto length = static_cast<std::uint32_t>(record_.size() - kLengthSize);
  std::memcpy(record_.data(), &length, kLengthSize);
  record_.append({reinterpret_cast<const char*>(&length), kLengthSize});
}

void History::push_all(std::span<const Row> rows, int cols, const Tables& tables) {
  if (recoverable_) {
    std::size_t skipped = rows.size();
    for (std::size_t bytes = 0; skipped > 0; --skipped) {
      encode(rows[skipped - 1], cols, tables);
      bytes += record_.size();
      if (bytes > max_bytes_) break;
    }
    if (skipped > 0) clear();  // History has no gaps.
    rows = rows.subspan(skipped);
  }
  for (const Row& row : rows) push(row, cols, tables);
}

void History::push(const Row& row, int cols, const Tables& tables) {
  if (max_rows_ == 0) return;
  encode(row, cols, tables);
  // What does not fit takes everything before it along: history has no gaps.
  if (record_.size() > max_bytes_) return clear();
  while (is_full() || position_.end - position_.begin + record_.size() > max_bytes_) drop_oldest();
  copy_in(end_offset_, record_.view());
  position_.end += record_.size();
  end_offset_ += record_.size();
  if (end_offset_ >= ring_.size()) end_offset_ -= ring_.size();
  ++rows_;
}

void History::pop(int cols, Tables& tables, Row& row) {
  const std::uint64_t start = before(position_.end);
  if (start == position_.end) {
    clear();
    row.reset(Cell());
    return;
  }
  read(start, length_at(offset(start)), scratch_);
  if (!decode_row(scratch_, cols, tables, row)) row.reset(Cell());
  position_.end = start;
  end_offset_ = offset(start);
  --rows_;
}

void History::clear() {
  if (recoverable_ && rows_ > 0) return begin_after_barrier(position_.end);
  position_.begin = position_.end;
  begin_offset_ = end_offset_;
  rows_ = 0;
}

void History::begin_after_barrier(std::uint64_t position) {
  copy_in(offset(position), {reinterpret_cast<const char*>(&kBarrier), kLengthSize});
  position_.begin = position_.end = position + kLengthSize;
  begin_offset_ = end_offset_ = offset(position_.end);
  rows_ = 0;
}

void History::move_past(std::uint64_t past) {
  if (!recoverable_ || position_.end == past) return;
  const int rows = rows_;
  scratch_.resize(position_.end - position_.begin);
  copy_out(begin_offset_, scratch_.data(), scratch_.size());
  begin_after_barrier(past);
  copy_in(end_offset_, scratch_);
  position_.end += scratch_.size();
  end_offset_ = offset(position_.end);
  rows_ = rows;
}

History::Reader::Reader(const History& history, int rows)
    : history_(history), at_(history.position_.begin), left_(history.rows_) {
  for (; left_ > std::max(rows, 0); --left_)
    at_ += history_.length_at(history_.offset(at_)) + kFrame;
}

bool History::Reader::next(int cols, Tables& tables, Row& row) {
  if (left_ == 0) return false;
  --left_;
  const std::uint32_t length = history_.length_at(history_.offset(at_));
  if (at_ + length + kFrame > history_.position_.end) {
    left_ = 0;
    return false;
  }
  history_.read(at_, length, scratch_);
  if (!decode_row(scratch_, cols, tables, row)) row.reset(Cell());
  at_ += length + kFrame;
  return true;
}

}  // namespace vt
