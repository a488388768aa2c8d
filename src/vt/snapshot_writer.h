// Writes rows of cells as output that reproduces them. Tracks the cursor and the pen, and assumes a
// terminal in its initial modes.

#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>

#include "vt/row.h"
#include "vt/state.h"
#include "vt/tables.h"

namespace vt {

class SnapshotWriter {
 public:
  explicit SnapshotWriter(Size size) : size_(size) {}

  // For a checkpoint: a repeated link is written as its number, and what does not fit is dropped:
  // first styles, then text.
  void write_checkpoint(std::size_t most) {
    constexpr std::size_t kReserve = 64 * 1024;  // what comes after the rows
    is_checkpoint_ = true;
    most_ = most > 2 * kReserve ? most - kReserve : most / 2;
  }
  // Whether something was left out.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

  // The styles of the following cells are in `tables`.
  void use(const Tables& tables);

  void raw(std::string_view bytes) { out_ += bytes; }
  // CSI, then numbers separated by semicolons, then `final`.
  void csi(std::string_view final) { (out_ += "\x1b[") += final; }
  void csi(int a, std::string_view final);
  void csi(int a, int b, std::string_view final);
  void osc(std::string_view command, std::string_view text);

  void pen(StyleId id);
  void pen(const Style& style, const Link& link);
  // Sends the pen again. Nothing changes, except that a following combining character has nothing
  // to join.
  void repeat_pen();

  // The cursor was just moved there, on a row that is already written or blank.
  void at_column(int x) { x_ = x; }
  // Writes the row, then goes to the start of the next row, `next`, if there is one.
  void row(const Row& row, const Row* next, const Tables& next_tables);
  // Writes the row in two steps: up to column `end`, where the cursor stays, and the rest.
  void row_start(const Row& row, int end);
  void row_rest(const Row& row, int begin, const Row* next, const Tables& next_tables);
  void marks(const Row& row);
  // Makes the top row of a blank screen continue another row.
  void wrap_top_row();
  // Prints one cell's text at the cursor; `charset` is the active one.
  void cell_text(Cell cell, Charset charset = Charset::us);

  [[nodiscard]] static bool has_odd(const Row& row, const Tables& tables);
  [[nodiscard]] std::size_t size() const { return out_.size(); }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  [[nodiscard]] bool is_all_odd(const Row& row) const;
  void wrap_from_odd(const Row& row);
  [[nodiscard]] static bool wraps_by_itself(const Row& next, const Tables& next_tables);
  void clear_rest();
  void link(LinkId id, const Link& link);
  void go_to(int x);
  void cells(const Row& row, int begin, int end, bool explicit_blanks);
  [[nodiscard]] int cells_end(const Row& row, bool next_wraps) const;
  void end_row(const Row& row, const Row* next, const Tables& next_tables);
  int empty_run(const Row& row, int x, int end, bool explicit_blanks);
  int text_run(const Row& row, int x, int end);
  void odd_cells(const Row& row, int end);
  void odd_run_from_right(const Row& row, int first, int last);
  void odd_run_from_left(const Row& row, int last);
  void wrap_to(const Row& row, const Row& next, const Tables& next_tables);

  Size size_;
  const Tables* tables_ = nullptr;
  std::string out_;
  StyleId pen_ = 0;  // in tables_
  Style style_;      // its value; the link is in link_
  LinkId link_ = 0;
  std::size_t link_bytes_ = 0;  // written so far
  bool is_checkpoint_ = false;
  bool is_whole_ = true;
  std::size_t most_ = std::numeric_limits<std::size_t>::max();
  std::unordered_map<LinkId, std::size_t> links_;  // in a checkpoint, by order of appearance
  int x_ = 0;
  bool wrapped_in_color_ = false;  // The next character wraps, into a row that it fills.
};

}  // namespace vt
