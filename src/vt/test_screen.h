// A screen with a history and a query recorder, and shortcuts to check what it shows.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vt/screen.h"
#include "vt/screen_json.h"

namespace vt {

class TestScreen : private StreamSink {
 public:
  struct Query {
    ByteSpan span;
    std::string reply;
    friend bool operator==(const Query&, const Query&) = default;
  };

  explicit TestScreen(int cols = 10, int rows = 4, std::size_t ring_size = 1 << 16)
      : ring_(ring_size), screen_({.cols = cols, .rows = rows}, this) {
    screen_.attach_history(History(ring_));
  }

  TestScreen& feed(std::string_view bytes) {
    screen_.feed(bytes);
    return *this;
  }
  TestScreen& resize(int cols, int rows) {
    screen_.resize({.cols = cols, .rows = rows});
    return *this;
  }

  [[nodiscard]] Screen& screen() { return screen_; }
  [[nodiscard]] const State& state() const { return screen_.state(); }
  [[nodiscard]] const Buffer& buffer() const { return state().active(); }
  [[nodiscard]] Cursor cursor() const { return buffer().cursor; }
  [[nodiscard]] const std::vector<Query>& queries() const { return queries_; }
  [[nodiscard]] const std::vector<Edit>& edits() const { return edits_; }

  // The last reply to the program, if any.
  [[nodiscard]] std::string reply() const { return queries_.empty() ? "" : queries_.back().reply; }

  // The text of a row. Empty cells are dots, except at the end, where they are left out. A leading
  // + means that it continues the row above.
  [[nodiscard]] std::string row(int y) const {
    return row_text(buffer().grid.row(y), state().tables);
  }
  [[nodiscard]] std::string rows() const {
    std::string out;
    for (int y = 0; y < state().size.rows; ++y) out += (y > 0 ? "|" : "") + row(y);
    return out;
  }
  [[nodiscard]] std::string history() const {
    std::string out;
    Tables tables;
    Row row;
    History::Reader reader(state().history, kAllHistory);
    for (bool first = true; reader.next(state().size.cols, tables, row); first = false)
      out += (first ? "" : "|") + row_text(row, tables);
    return out;
  }
  // The words of docs/vt.md for a cell's style.
  [[nodiscard]] std::string style(int x, int y) const {
    const Style& style = state().tables.styles[buffer().grid.row(y).at(x).style];
    return style_words(style, state().tables.links[style.link]);
  }
  [[nodiscard]] std::string pen() const {
    return style_words(state().pen, state().tables.links[state().pen.link]);
  }

 private:
  void edit(Edit edit, By /*by*/) override { edits_.push_back(std::move(edit)); }
  void query(ByteSpan span, const Reply& reply) override {
    queries_.push_back({.span = span, .reply = std::string(reply.text())});
  }
  [[nodiscard]] std::string row_text(const Row& row, const Tables& tables) const {
    std::string out = row.wrapped ? "+" : "";
    const int end = row.content_length(state().size.cols);
    for (int x = 0; x < end; ++x) {
      const Cell cell = row.at(x);
      if (cell.is_spacer()) continue;
      out += cell.has_content() ? tables.text(cell) : ".";
    }
    return out;
  }

  std::vector<std::byte> ring_;
  std::vector<Query> queries_;
  std::vector<Edit> edits_;
  Screen screen_;
};

}  // namespace vt
