// Folding a line to a width. A line is a row and those that continue it, each as it was written, at
// whatever width that was; what comes out are the rows that xterm.js's reflow makes of it
// (BufferReflow), with two choices of ours, which docs/vt.md lists.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vt/row.h"
#include "vt/tables.h"

namespace vt {

// A row as it was written, of the history or of the screen.
struct Piece {
  Row row;
  int cols = 0;  // the width it was written at
  int cut = 0;   // if not 0: only so many columns are of the line, which goes on elsewhere
  std::uint64_t start = 0;  // of its record in the history ring
  std::uint64_t end = 0;
};

// How many columns of a row belong to its line: all, but for the column that a wide character left
// empty when it wrapped to `next`; of a line's last row, those up to the end of its content.
[[nodiscard]] int line_length(const Row& row, int cols, const Row* next);
// The same for a piece that may be cut.
[[nodiscard]] int line_length(const Piece& piece, const Row* next);
// Whether `cut` leaves out nothing of the row that its line has.
[[nodiscard]] bool is_whole(const Row& row, int cols, int cut);

// A row that came of a fold, and where it begins: at column x of a piece.
struct FoldedRow {
  Row row;
  int piece = 0;
  int x = 0;
};

// Pieces go in one by one, old to new, rows come out.
class LineFold {
 public:
  // Begins a line. The first piece has this number.
  void begin(int cols, int piece);

  // A row that was written at the width that is asked for went past as it is.
  void passed() {
    ++pieces_;
    ++made_;
  }
  [[nodiscard]] bool is_at_begin() const { return pieces_ == 0; }

  // The columns up to `length` of a row that was written at a width of `cols`.
  void add(const Row& row, int cols, int length, int from = 0);
  // A whole row, as it is or cut to the width.
  void add_whole(Row&& row, int cols);
  // The line has no more pieces. If it does not go on elsewhere either, it ends with its content.
  void end(bool goes_on);

  // Rows that nothing can change any more, and the way to take them.
  [[nodiscard]] std::size_t ready() const { return ready_; }
  [[nodiscard]] std::span<FoldedRow> rows() { return rows_; }
  void drop(std::size_t count);

 private:
  void put(Cell cell, int x);
  void start_row(int x);
  void close_row();

  int cols_ = 0;
  std::vector<FoldedRow> rows_;
  std::size_t ready_ = 0;
  int x_ = 0;          // where the next cell goes in the last row
  int piece_ = 0;      // the number of the piece that is being added
  int pieces_ = 0;     // so many so far
  int made_ = 0;       // rows so far, those that are gone included
  int last_cols_ = 0;  // the width of the last piece
  bool last_is_empty_ = false;
  PromptMarks marks_;  // of the piece that is being added, until its first cell has a row
};

// All rows of a line, without the first `from` columns of its first piece; `next` is what continues
// it and is not to be folded, if anything does.
[[nodiscard]] std::vector<FoldedRow> fold_line(std::span<const Piece> line, int first_number,
                                               const Row* next, int cols, int from = 0);

[[nodiscard]] Row copy_of(const Row& row, int cols);

// A row of one column cannot be wrapped from if its cell is odd, nor the bottom row if all are: the
// last one keeps its background only.
void make_plain(Row& row, int cols, Tables& tables);

}  // namespace vt
