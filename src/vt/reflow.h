// Resizes the primary screen with its history as xterm.js 6 does (Buffer.resize, BufferReflow), so
// that a resized viewer and a reattached one show the same.
//
// xterm.js has history and screen in one list of rows and goes over all of it. Here the history
// stays as written, and only as many of its newest lines are read as the screen needs. What
// xterm.js counts from the start of its list is counted from the oldest of these lines.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vt/fold.h"
#include "vt/state.h"

namespace vt {

class Reflow {
 public:
  // For a screen that still has its old size.
  Reflow(State& state, Size size);
  void run();

 private:
  // Where a row starts or ends: at column x of a piece.
  struct Source {
    std::size_t piece = 0;
    int x = 0;
  };
  // A row at the new width.
  struct NewRow {
    Row row;
    Source end;
    std::size_t group = 0;
    bool is_cut = false;    // part of its line is gone
    bool is_added = false;  // its line took fewer rows before
  };
  // Rows that are folded together: a line or part of one.
  struct Group {
    std::size_t first = 0;
    std::size_t end = 0;
  };

  void recognise();
  bool recognise(const std::vector<Piece>& line, std::size_t number, History::Place& place);
  [[nodiscard]] std::vector<Piece> next_line();
  [[nodiscard]] bool has_more();
  void gather(int wanted);
  void change_height();
  void assemble();
  [[nodiscard]] Row& row_at(std::size_t i);
  [[nodiscard]] std::vector<Group> groups();
  [[nodiscard]] Source source_of(std::size_t i) const;
  [[nodiscard]] std::vector<NewRow> fold(const Group& group);
  [[nodiscard]] static std::vector<NewRow> new_rows(std::vector<FoldedRow> folded, Source end);
  [[nodiscard]] std::vector<NewRow> cut(const Group& group);
  void keep_width();
  void change_width();
  void pop(int count);
  int follow_growth(int added);
  void pull();
  void put_rows();
  [[nodiscard]] int continued_length(std::size_t piece) const;
  [[nodiscard]] History::Place place_of(Source source) const;
  template <class T>
  [[nodiscard]] std::span<const T> last_that_fit(std::span<const T> rows, int cols,
                                                 std::uint64_t& room);
  void write_history();
  [[nodiscard]] bool reflows() const { return old_.cols != size_.cols; }

  State& state_;
  Buffer& buffer_;
  History& history_;
  const Size old_;
  const Size size_;
  std::vector<Row> screen_;  // the rows that are not in the history
  std::uint64_t room_ = 0;   // how many bytes may be written
  std::uint64_t least_ = 0;  // rows that start there or later may be read
  // Where the history ends, and whether the ring does not know it yet.
  History::Place boundary_;
  bool is_extended_ = false;
  bool goes_on_ = false;  // its last line continues on the screen
  int recognised_ = 0;    // how many rows of the screen are the history's newest
  std::optional<History::Tail> tail_;
  std::vector<Piece> spare_;                    // a line that was read early
  std::vector<std::vector<Piece>> lines_;       // of the history, new to old
  std::vector<std::vector<FoldedRow>> folded_;  // the same at the old width
  int gathered_ = 0;                            // how many rows

  std::vector<Piece> pieces_;        // lines of the history as written, then the screen's rows
  std::size_t of_history_ = 0;       // how many of the pieces are the history's
  std::vector<FoldedRow> rows_;      // the same at the old width
  std::vector<std::size_t> starts_;  // those of them at which lines start
  std::size_t split_ = 0;            // the piece at which the cursor's line is split, if it is
  std::vector<NewRow> new_rows_;     // the same at the new width
  int top_ = 0;                      // the row where the screen starts, in either
};

}  // namespace vt
