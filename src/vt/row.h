// One row of the screen. Memory follows what was written: cells from `length_` on are all `fill_`,
// so a blank row costs nothing and clearing one is constant time. The operations keep the halves of
// wide characters together: a wide cell is always followed by its spacer, and a spacer always
// follows a wide cell.

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "vt/cell.h"

namespace vt {

// Shell integration (OSC 133): what starts or ends on a row.
struct PromptMarks {
  enum Bit : std::uint8_t { kPrompt = 1, kCommand = 2, kOutput = 4, kEnd = 8, kHasStatus = 16 };
  std::uint8_t bits = 0;
  std::uint8_t status = 0;  // the exit status that kEnd came with, if kHasStatus

  void merge(PromptMarks other) {
    bits |= other.bits;
    if ((other.bits & kHasStatus) != 0) status = other.status;
  }
  friend bool operator==(const PromptMarks&, const PromptMarks&) = default;
};

class Row {
 public:
  bool wrapped = false;  // continues the row above it
  PromptMarks marks;

  [[nodiscard]] Cell at(int x) const { return x < length_ ? cells_[x] : fill_; }
  // The cells that differ from `fill()`, and possibly some that do not.
  [[nodiscard]] std::span<const Cell> written() const { return {cells_.get(), length_}; }
  [[nodiscard]] Cell fill() const { return fill_; }

  // Makes the row all `fill`, not wrapped, without marks.
  void reset(Cell fill) {
    clear(fill);
    wrapped = false;
    marks = {};
  }
  void clear(Cell fill) {
    length_ = 0;
    fill_ = fill;
  }
  // Direct access to [begin, end) for writing; what lies before it and was not written becomes
  // fill.
  Cell* write(int begin, int end, int cols) {
    if (begin > length_ || end > capacity_) extend(begin, end, cols);
    if (end > length_) length_ = static_cast<std::uint16_t>(end);
    return cells_.get() + begin;
  }
  // The same for a run whose end is found while writing: room up to the last column, then `wrote`
  // says how far it went.
  Cell* write_from(int begin, int cols) {
    if (begin > length_ || cols > capacity_) extend(begin, cols, cols);
    return cells_.get() + begin;
  }
  void wrote(int end) { length_ = std::max(length_, static_cast<std::uint16_t>(end)); }
  void set(int x, Cell cell, int cols) { *write(x, x + 1, cols) = cell; }

  // xterm.js's replaceCells, insertCells and deleteCells; `pos` and `begin` may equal cols, `end`
  // may exceed it.
  void replace(int begin, int end, Cell fill, int cols);
  void insert(int pos, int count, Cell fill, int cols);
  void remove(int pos, int count, Cell fill, int cols);

  // Columns up to the end of the last cell that has content.
  [[nodiscard]] int content_length(int cols) const;
  // Cuts or extends to a new width; a wide character that is cut in half becomes empty.
  void resize(int old_cols, int cols);
  // Restores the invariant about wide characters after cells were copied one by one.
  void mend(int cols);

  [[nodiscard]] std::size_t memory() const { return capacity_ * sizeof(Cell); }

 private:
  void extend(int begin, int end, int cols);
  // All cells, written out.
  Cell* all(int cols) { return write(cols, cols, cols) - cols; }

  std::unique_ptr<Cell[]> cells_;
  std::uint16_t capacity_ = 0;
  std::uint16_t length_ = 0;
  Cell fill_;
};

}  // namespace vt
