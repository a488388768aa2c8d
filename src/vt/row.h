// One row of the screen. It uses memory only for what was written: cells from `length_` on are all
// `fill_`, so a blank row costs nothing and clearing one takes constant time. The operations keep
// the halves of wide characters together: a wide cell is always followed by its spacer, and a
// spacer always follows a wide cell.

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "vt/cell.h"

namespace vt {

// No row has more columns, no screen more rows.
inline constexpr int kMaxSide = 1000;

// Shell integration (OSC 133): what starts or ends on a row.
struct PromptMarks {
  enum Bit : std::uint8_t { kPrompt = 1, kCommand = 2, kOutput = 4, kEnd = 8, kHasStatus = 16 };
  static constexpr std::uint64_t kLatestStart = (std::uint64_t{1} << 48) - 1;
  std::uint8_t bits = 0;
  std::uint8_t status = 0;  // the exit status of kEnd, if kHasStatus
  // Whose output or end it is: where the command's output begins in the stream. 0: unknown.
  std::uint64_t start : 48 = 0;

  // A row has the marks of one command. The newer one counts.
  void merge(PromptMarks other) {
    if (other.start != 0 && start != 0 && other.start != start) {
      bits &= static_cast<std::uint8_t>(~(kOutput | kEnd | kHasStatus));
      status = 0;
    }
    bits |= other.bits;
    if ((other.bits & kHasStatus) != 0) status = other.status;
    if (other.start != 0) start = other.start;
  }
  friend bool operator==(const PromptMarks&, const PromptMarks&) = default;
};

class Row {
 public:
  PromptMarks marks;
  bool wrapped = false;  // continues the row above it

  [[nodiscard]] Cell at(int x) const { return x < length_ ? cells_[x] : fill_; }
  // The cells that may differ from `fill()`.
  [[nodiscard]] std::span<const Cell> written() const { return {cells_.get(), length_}; }
  [[nodiscard]] Cell fill() const { return fill_; }

  // Sets the whole row to `fill`, not wrapped, without marks.
  void reset(Cell fill) {
    clear(fill);
    wrapped = false;
    marks = {};
  }
  void clear(Cell fill) {
    length_ = 0;
    fill_ = fill;
    set_encoding({});
    is_swept_ = false;
  }
  // Direct access to [begin, end) for writing. Unwritten cells before it become fill.
  Cell* write(int begin, int end, int cols) {
    if (begin > length_ || end > capacity_) extend(begin, end, cols);
    if (begin < encoded_cols_) drop_encoding();
    is_swept_ = false;
    if (end > length_) length_ = static_cast<std::uint16_t>(end);
    return cells_.get() + begin;
  }
  // The same for a run whose end is found while writing: room up to the last column, then `wrote`
  // sets the end.
  Cell* write_from(int begin, int cols) {
    if (begin > length_ || cols > capacity_) extend(begin, cols, cols);
    if (begin < encoded_cols_) drop_encoding();
    is_swept_ = false;
    return cells_.get() + begin;
  }
  void wrote(int end) { length_ = std::max(length_, static_cast<std::uint16_t>(end)); }
  void set(int x, Cell cell, int cols) { *write(x, x + 1, cols) = cell; }

  // xterm.js's replaceCells, insertCells and deleteCells; `pos` and `begin` may equal cols, `end`
  // may exceed it.
  void replace(int begin, int end, Cell fill, int cols);
  void insert(int pos, int count, Cell fill, int cols);
  void remove(int pos, int count, Cell fill, int cols);

  // A selective erase of the whole row is remembered, so that repeating it costs nothing: all cells
  // that it may erase are `blank`. Writing forgets it.
  [[nodiscard]] bool is_swept(Cell blank) const { return is_swept_ && fill_ == blank; }
  void note_swept(Cell blank, int cols) {
    if (length_ == cols) fill_ = blank;
    is_swept_ = fill_ == blank;
  }
  // Drops cells at the end that equal the fill.
  void trim() {
    while (length_ > 0 && cells_[length_ - 1] == fill_) --length_;
  }

  // Columns up to the end of the last cell that has content.
  [[nodiscard]] int content_length(int cols) const;
  // Cuts or extends to a new width; a wide character that is cut in half becomes empty.
  void resize(int old_cols, int cols);
  // Restores the wide-character invariant after cells were copied one by one.
  void mend(int cols);

  // While a row is only printed from left to right, it carries its encoding for the history
  // (row_codec), so that nothing has to be encoded when it scrolls off. The encoding is stored
  // after the cells.
  struct Encoding {
    std::uint16_t cols = 0;    // how many columns are encoded
    std::uint16_t length = 0;  // in how many bytes
    std::uint16_t last = 0;    // where the last character starts
    StyleId style = 0;         // the style at the end
  };
  // Whether it covers the columns up to `x`, and no others were written.
  [[nodiscard]] bool is_encoded_to(int x) const { return encoded_cols_ == x && length_ == x; }
  [[nodiscard]] Encoding encoding() const {
    return {.cols = encoded_cols_,
            .length = encoded_length_,
            .last = last_encoded_,
            .style = encoded_style_};
  }
  void set_encoding(const Encoding& encoding) {
    encoded_cols_ = encoding.cols;
    encoded_length_ = encoding.length;
    last_encoded_ = encoding.last;
    encoded_style_ = encoding.style;
  }
  void drop_encoding() { encoded_cols_ = kNotEncoded; }
  [[nodiscard]] std::string_view encoded() const {
    return {reinterpret_cast<const char*>(cells_.get() + capacity_), encoded_length_};
  }
  // Room for the encoding from its start on.
  [[nodiscard]] std::span<char> encoding_room() {
    return {reinterpret_cast<char*>(cells_.get() + capacity_), encoding_capacity(capacity_)};
  }

  [[nodiscard]] std::size_t memory() const {
    return capacity_ * sizeof(Cell) + encoding_capacity(capacity_);
  }

 private:
  static constexpr std::uint16_t kNotEncoded = 0xffff;
  // Characters that take one column seldom need more UTF-8.
  static constexpr std::size_t encoding_capacity(std::size_t cols) {
    return (cols + 1) / 2 * sizeof(Cell);
  }

  void extend(int begin, int end, int cols);
  void use_fill(Cell fill, int cols);

  // In an order that leaves no gaps, because a screen has many rows.
  bool is_swept_ = false;
  std::uint16_t capacity_ = 0;
  std::uint16_t length_ = 0;
  std::uint16_t encoded_cols_ = 0;
  std::unique_ptr<Cell[]> cells_;  // and the encoding
  Cell fill_;
  StyleId encoded_style_ = 0;
  std::uint16_t encoded_length_ = 0;
  std::uint16_t last_encoded_ = 0;
};

}  // namespace vt
