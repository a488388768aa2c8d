#include "vt/row.h"

#include <algorithm>
#include <cstring>

namespace vt {

void Row::extend(int begin, int end, int cols) {
  if (end > capacity_) {
    const int wanted = std::min(cols, std::max({end, capacity_ * 2, 16}));
    const auto size = static_cast<std::size_t>(wanted);
    auto cells =
        std::make_unique_for_overwrite<Cell[]>(size + encoding_capacity(size) / sizeof(Cell));
    std::copy_n(cells_.get(), length_, cells.get());
    if (encoded_length_ > 0) std::memcpy(cells.get() + wanted, encoded().data(), encoded_length_);
    cells_ = std::move(cells);
    capacity_ = static_cast<std::uint16_t>(wanted);
  }
  if (begin > length_) {
    std::fill(cells_.get() + length_, cells_.get() + begin, fill_);
    length_ = static_cast<std::uint16_t>(begin);
  }
}

void Row::replace(int begin, int end, Cell fill, int cols) {
  if (begin > 0 && at(begin - 1).is_wide()) set(begin - 1, fill, cols);
  if (end < cols && at(end - 1).is_wide()) set(end, fill, cols);
  if (begin >= std::min(end, cols)) return;
  if (end < cols) {
    std::fill_n(write(begin, end, cols), end - begin, fill);
    return;
  }
  if (begin == 0) return clear(fill);
  write(begin, begin, cols);
  length_ = static_cast<std::uint16_t>(begin);
  fill_ = fill;
}

// Unwritten cells are `fill` from here on; cells that had the old fill are written out.
void Row::use_fill(Cell fill, int cols) {
  if (fill == fill_) return;
  write(cols, cols, cols);
  fill_ = fill;
}

void Row::insert(int pos, int count, Cell fill, int cols) {
  pos %= cols;
  if (count >= cols - pos) return replace(pos, cols, fill, cols);
  use_fill(fill, cols);
  if (pos >= length_) return;
  const int end = std::min(length_ + count, cols);
  const int moved = end - pos - count;
  Cell* const cells = write(0, end, cols);
  drop_encoding();
  if (pos > 0 && cells[pos - 1].is_wide()) cells[pos - 1] = cells[pos] = fill;
  std::copy_backward(cells + pos, cells + pos + moved, cells + end);
  std::fill(cells + pos, cells + pos + count, fill);
  if (end == cols && cells[cols - 1].is_wide()) cells[cols - 1] = fill;
}

void Row::remove(int pos, int count, Cell fill, int cols) {
  pos %= cols;
  if (count >= cols - pos) return replace(pos, cols, fill, cols);
  use_fill(fill, cols);
  if (pos >= length_) return;
  const int moved = std::max(length_ - pos - count, 0);
  Cell* const cells = write(0, 0, cols);
  drop_encoding();
  if (pos > 0 && cells[pos - 1].is_wide()) cells[pos - 1] = fill;
  std::copy_n(cells + length_ - moved, moved, cells + pos);
  length_ = static_cast<std::uint16_t>(pos + moved);
  if (moved > 0 && cells[pos].is_spacer()) cells[pos] = fill;
}

int Row::content_length(int cols) const {
  if (length_ < cols && fill_.has_content()) return cols;
  for (int x = length_ - 1; x >= 0; --x)
    if (cells_[x].has_content()) return x + static_cast<int>(cells_[x].width());
  return 0;
}

void Row::resize(int old_cols, int cols) {
  // A fill ends at the edge it was made with.
  if (cols > old_cols && fill_ != Cell()) write(old_cols, old_cols, cols);
  if (cols > old_cols && length_ >= old_cols) fill_ = Cell();
  if (length_ > cols) length_ = static_cast<std::uint16_t>(cols);
  mend(cols);
}

void Row::mend(int cols) {
  drop_encoding();
  is_swept_ = false;
  for (int x = 0; x < length_; ++x) {
    const bool cut = cells_[x].is_wide() && (x + 1 == cols || !at(x + 1).is_spacer());
    const bool left_over = cells_[x].is_spacer() && (x == 0 || !cells_[x - 1].is_wide());
    if (cut || left_over) cells_[x] = Cell::empty(cells_[x].style);
  }
}

}  // namespace vt
