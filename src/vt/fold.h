// Folds a line to a width. A line is a row and the rows that continue it, each as written, at
// whatever width. The result is the rows that xterm.js's reflow makes of it (BufferReflow), with
// the two differences that docs/vt.md lists.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vt/row.h"
#include "vt/tables.h"

namespace vt {

// A row as it was written, from the history or the screen.
struct Piece {
  Row row;
  int cols = 0;  // the width it was written at
  int cut = 0;   // if not 0, only this many columns belong to the line, which continues elsewhere
  std::uint64_t start = 0;  // of its record in the history ring
  std::uint64_t end = 0;
};

// How many columns of a row belong to its line: all, except the column that a wide character left
// empty when it wrapped to `next`. In the last row of a line, the columns up to the end of its
// content.
[[nodiscard]] int line_length(const Row& row, int cols, const Row* next);
// The same for a piece that may be cut.
[[nodiscard]] int line_length(const Piece& piece, const Row* next);
// Whether `cut` keeps everything of the row that belongs to its line.
[[nodiscard]] bool is_whole(const Row& row, int cols, int cut);

// A folded row, and where it starts: at column x of a piece.
struct FoldedRow {
  Row row;
  int piece = 0;
  int x = 0;
};

// Takes pieces one by one, old to new, and produces rows.
class LineFold {
 public:
  // Starts a line. The first piece has this number.
  void begin(int cols, int piece);

  // A row that already has the wanted width was passed through unchanged.
  void passed() {
    ++pieces_;
    ++made_;
  }
  [[nodiscard]] bool is_at_begin() const { return pieces_ == 0; }

  // Adds the columns up to `length` of a row that was written at width `cols`.
  void add(const Row& row, int cols, int length, int from = 0);
  // Adds a whole row, unchanged or cut to the width.
  void add_whole(Row&& row, int cols);
  // The line has no more pieces. If it does not continue elsewhere, it ends with its content.
  void end(bool goes_on);

  // Finished rows, and how to take them.
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
  int piece_ = 0;      // the number of the current piece
  int pieces_ = 0;     // how many so far
  int made_ = 0;       // rows so far, including those already taken
  int last_cols_ = 0;  // the width of the last piece
  bool last_is_empty_ = false;
  PromptMarks marks_;  // of the current piece, until its first cell has a row
};

// All rows of a line, without the first `from` columns of its first piece. `next` is the row that
// continues it but is not folded, if any.
[[nodiscard]] std::vector<FoldedRow> fold_line(std::span<const Piece> line, int first_number,
                                               const Row* next, int cols, int from = 0);

[[nodiscard]] Row copy_of(const Row& row, int cols);

// A row of one odd cell (see Tables) cannot be wrapped from, nor can a bottom row of odd cells. The
// last cell keeps only its background.
void make_plain(Row& row, int cols, Tables& tables);

}  // namespace vt
