#include "vt/history.h"

#include <algorithm>
#include <cstring>

#include "vt/row_codec.h"

namespace vt {
namespace {

// A record is its length, its bytes, and its length again, so that it can be walked both ways.
constexpr std::uint32_t kLengthSize = sizeof(std::uint32_t);
constexpr std::uint64_t kFrame = 2 * kLengthSize;

}  // namespace

History::History(std::span<std::byte> ring, HistoryPosition position, int max_rows)
    : ring_(ring), position_(position), max_rows_(max_rows) {
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
  while (max_rows_ != kNoRowLimit && rows_ > max_rows_) drop_oldest();
}

// The start of the record that ends at `position`, or `position` itself if there is no sound one.
std::uint64_t History::before(std::uint64_t position) const {
  const std::uint64_t available = position - position_.begin;
  if (available < kFrame) return position;
  const std::uint64_t size = length_at(position - kLengthSize) + kFrame;
  if (size > available || length_at(position - size) + kFrame != size) return position;
  return position - size;
}

std::uint32_t History::length_at(std::uint64_t position) const {
  std::uint32_t length = 0;
  copy_out(position, &length, sizeof(length));
  return length;
}

void History::copy_in(std::uint64_t position, const void* from, std::size_t count) {
  const std::size_t at = position % ring_.size();
  const std::size_t first = std::min(count, ring_.size() - at);
  std::memcpy(ring_.data() + at, from, first);
  if (count > first)
    std::memcpy(ring_.data(), static_cast<const std::byte*>(from) + first, count - first);
}

void History::copy_out(std::uint64_t position, void* to, std::size_t count) const {
  const std::size_t at = position % ring_.size();
  const std::size_t first = std::min(count, ring_.size() - at);
  std::memcpy(to, ring_.data() + at, first);
  if (count > first) std::memcpy(static_cast<std::byte*>(to) + first, ring_.data(), count - first);
}

void History::read(std::uint64_t position, std::uint32_t length, std::string& out) const {
  out.resize(length);
  copy_out(position + kLengthSize, out.data(), length);
}

void History::drop_oldest() {
  const std::uint64_t size = length_at(position_.begin) + kFrame;
  if (size > position_.end - position_.begin) return clear();
  position_.begin += size;
  --rows_;
}

void History::push(const Row& row, int cols, const Tables& tables) {
  if (max_rows_ == 0) return;
  scratch_.assign(kLengthSize, '\0');
  encode_row(row, cols, tables, scratch_);
  const auto length = static_cast<std::uint32_t>(scratch_.size() - kLengthSize);
  if (length + kFrame > ring_.size()) {
    // What does not fit takes everything before it along: history has no gaps.
    clear();
    return;
  }
  std::memcpy(scratch_.data(), &length, sizeof(length));
  scratch_.append(reinterpret_cast<const char*>(&length), sizeof(length));
  while (is_full() || position_.end - position_.begin + scratch_.size() > ring_.size())
    drop_oldest();
  copy_in(position_.end, scratch_.data(), scratch_.size());
  position_.end += scratch_.size();
  ++rows_;
}

void History::pop(int cols, Tables& tables, Row& row) {
  const std::uint64_t start = before(position_.end);
  if (start == position_.end) {
    clear();
    row.reset(Cell());
    return;
  }
  read(start, length_at(start), scratch_);
  if (!decode_row(scratch_, cols, tables, row)) row.reset(Cell());
  position_.end = start;
  --rows_;
}

void History::clear() {
  position_.begin = position_.end;
  rows_ = 0;
}

History::Reader::Reader(const History& history, int rows)
    : history_(history), at_(history.position_.begin), left_(history.rows_) {
  for (; left_ > std::max(rows, 0); --left_) at_ += history_.length_at(at_) + kFrame;
}

bool History::Reader::next(int cols, Tables& tables, Row& row) {
  if (left_ == 0) return false;
  --left_;
  const std::uint32_t length = history_.length_at(at_);
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
