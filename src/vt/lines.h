// The lines of history and screen as text, one after another, from old to new. Callers can read
// them a few at a time.

#pragma once

#include <string>
#include <string_view>

#include "vt/screen.h"

namespace vt {

// Joins the rows of a line. Empty cells at its end are left out.
class LineText {
 public:
  explicit LineText(std::string& line) : line_(line) { line_.clear(); }
  void add(const Row& row, int cols, const Tables& tables);
  [[nodiscard]] std::size_t size() const { return line_.size(); }
  void end() { line_.resize(kept_); }

 private:
  std::string& line_;
  std::size_t kept_ = 0;  // The end of the last cell that has content.
  std::size_t blanks_ =
      0;  // Empty cells at the end of the last row: they count if the line goes on.
};

// The screen must not change while one is in use.
class Lines {
 public:
  // A longer line comes in pieces.
  static constexpr std::size_t kLongest = 16 * 1024;

  explicit Lines(const Screen& screen);

  // The next line: wrapped rows are joined, and empty cells at its end are left out. False if there
  // is none. One step reads a bounded number of rows.
  [[nodiscard]] bool next(std::string& line);

 private:
  [[nodiscard]] bool read();

  const State& state_;
  Tables history_tables_;
  History::Reader history_;
  Row row_;                         // Of the history.
  const Row* read_ = nullptr;       // The row that was read last, if it is not used yet.
  const Tables* tables_ = nullptr;  // Its tables.
  bool is_history_over_ = false;
  int screen_row_ = 0;
};

}  // namespace vt
