#include "vt/snapshot.h"

#include <algorithm>
#include <cstdlib>

#include "vt/snapshot_modes.h"
#include "vt/snapshot_writer.h"

namespace vt {
namespace {

// The alternate screen's saved cursor holds a position, because the cursor keeps its place when
// screens are switched. kHold saves it. kReturn goes back to it. kRelease goes back and forgets it
// with a soft reset, which leaves the cursor alone and must come before anything that it resets is
// set.
constexpr std::string_view kHold = "\x1b[?47h\x1b\x37\x1b[?47l";
constexpr std::string_view kReturn = "\x1b[?47h\x1b\x38\x1b[?47l";
constexpr std::string_view kRelease = "\x1b[?47h\x1b\x38\x1b[!p\x1b[?47l";

bool is_default(const Row& row) {
  return row.fill() == Cell() && !row.wrapped && row.marks == PromptMarks() &&
         std::ranges::all_of(row.written(), [](Cell cell) { return cell == Cell(); });
}

class Snapshot {
 public:
  Snapshot(const State& state, int history_rows)
      : state_(state), history_rows_(history_rows), out_(state.size) {}

  // See `checkpoint`.
  Checkpoint write_checkpoint(std::size_t most) {
    out_.write_checkpoint(most);
    std::string bytes = write();
    return {.bytes = std::move(bytes), .is_whole = out_.is_whole()};
  }

  std::string write() {
    out_.raw(
        "\x1b"
        "c");
    out_.use(state_.tables);
    write_titles(state_.titles, out_);
    write_colors(state_.palette, out_);
    if (!state_.working_directory.empty()) out_.osc("7", state_.working_directory);
    const bool flows = primary_flows();
    if (flows)
      flow_primary(place());
    else
      fixed_primary();
    if (state_.alternate_active) {
      out_.pen(0);
      out_.raw("\x1b[?47h");
      alternate_rows();
      buffer_details(state_.alternate);
    }
    write_modes(state_, out_);
    if (flows && !state_.alternate_active)
      charsets_and_pen_in_place();
    else
      cursor_charsets_and_pen();
    return out_.take();
  }

 private:
  // Columns of the character that is printed last, so that a combining character can still join it
  // or the next character wraps.
  [[nodiscard]] int reprinted() const {
    if (state_.preceding > 0) return state_.preceding;
    const auto [x, y] = state_.primary.cursor;
    const int cols = state_.size.cols;
    if (x < cols) return 0;
    return x - cols + (state_.primary.grid.row(y).at(cols - 1).is_spacer() ? 2 : 1);
  }

  // Where printing leaves the primary screen's cursor. While the alternate screen is active, only
  // the row matters; use the column that leaving it restores.
  [[nodiscard]] Cursor place() const {
    const Buffer& primary = state_.primary;
    const auto [x, y] = primary.cursor;
    if (!state_.alternate_active) return {.x = x - reprinted(), .y = y};
    const bool same_row = primary.saved != SavedCursor() && primary.saved.cursor.y == y;
    return {.x = same_row ? primary.saved.cursor.x : 0, .y = y};
  }

  // Whether printing alone can bring the cursor to its place in a terminal of any size. Margins and
  // origin mode are for programs that position everything themselves. The rest are corner cases
  // that only exact positions get right.
  [[nodiscard]] bool primary_flows() const {
    const Buffer& primary = state_.primary;
    const int cols = state_.size.cols;
    const Cursor at = place();
    const Row& row = primary.grid.row(at.y);
    const bool margins = primary.top != 0 || primary.bottom != state_.size.rows - 1;
    if (margins || cols < 2 || SnapshotWriter::has_odd(row, state_.tables)) return false;
    if (at.x >= cols || row.at(at.x).is_spacer()) return false;
    if (at.x == 0 && row.wrapped && row.at(0).width() == Width::zero) return false;
    if (state_.alternate_active) return true;
    if (primary.cursor.x >= cols && !row.at(at.x).has_content()) return false;
    return !state_.modes.origin && !has_restored_charset() &&
           state_.alternate.saved == SavedCursor();
  }

  [[nodiscard]] int last_row() const {
    const Grid& grid = state_.primary.grid;
    int y = grid.rows() - 1;
    while (y > 0 && is_default(grid.row(y))) --y;
    return y;
  }

  // Whether there is anything after `at`, except the character that is printed last.
  [[nodiscard]] bool has_more_after(Cursor at) const {
    if (last_row() > at.y) return true;
    const Row& row = state_.primary.grid.row(at.y);
    const int from = state_.alternate_active ? at.x : std::max(at.x, state_.primary.cursor.x);
    for (int x = from; x < state_.size.cols; ++x)
      if (row.at(x) != Cell()) return true;
    return false;
  }

  // Whether the cursor has to leave its place again.
  [[nodiscard]] bool has_detour(Cursor at) const {
    const Buffer& primary = state_.primary;
    return has_more_after(at) || primary.saved != SavedCursor() || !has_usual_tabs(primary.tabs);
  }

  // Writes the primary screen and its history as flowing text: the cursor and the saved cursor end
  // up on the same text, even in a terminal of another size.
  void flow_primary(Cursor at) {
    const Buffer& primary = state_.primary;
    const Grid& grid = primary.grid;
    const Row& row = grid.row(at.y);
    const int last = std::max(last_row(), at.y);
    const int made = made_down_to(at, last);
    history(made);
    for (int y = 0; y < at.y; ++y) out_.row(grid.row(y), &grid.row(y + 1), state_.tables);
    out_.row_start(row, at.x);
    if (at.x == 0 && row.wrapped) wrap_to_start(row);
    if (made > at.y) make_room(made - at.y);
    const bool more = has_more_after(at);
    if (has_detour(at)) {
      out_.pen(0);
      out_.raw(kHold);
      if (more) rows_from(at, last);
      tab_stops(primary.tabs);
      if (primary.saved != SavedCursor()) {
        out_.pen(0);
        out_.raw(kReturn);
        saved_cursor_from(at);
      }
      out_.pen(0);
      out_.raw(kRelease);
    }
    if (!more) out_.marks(row);
    write_keyboard(primary.keyboard, out_);
  }

  // Getting there from the row above takes the row's first character.
  void wrap_to_start(const Row& row) {
    const Cell first = row.at(0);
    if (!first.has_content()) return;
    const int width = first.is_wide() ? 2 : 1;
    out_.row_start(row, width);
    out_.csi(width, "D");
    out_.at_column(0);
  }

  void rows_from(Cursor at, int last) {
    const Grid& grid = state_.primary.grid;
    const auto next = [&](int y) { return y < last ? &grid.row(y + 1) : nullptr; };
    out_.row_rest(grid.row(at.y), at.x, next(at.y), state_.tables);
    for (int y = at.y + 1; y <= last; ++y) out_.row(grid.row(y), next(y), state_.tables);
  }

  // The last row to create before the cursor is left in its place. With a history, that is the
  // bottom row, because later rows would scroll the history off. If many rows are blank, `history`
  // creates them first instead: in a lower terminal the cursor's row would scroll off too.
  [[nodiscard]] int made_down_to(Cursor at, int last) const {
    constexpr int kFewRows = 5;
    const int bottom = state_.size.rows - 1;
    const bool all = state_.primary.grid.row(0).wrapped || bottom - at.y < kFewRows;
    return history_rows_ > 0 && all ? bottom : last;
  }

  // Writes the history so that it scrolls off the screen as it once did, and goes to the start of
  // the first row. If `last` is not the bottom, there are blank rows below it.
  void history(int last) {
    const Grid& grid = state_.primary.grid;
    const int bottom = grid.rows() - 1;
    if (!history_rows()) {
      if (grid.row(0).wrapped) out_.wrap_top_row();
    } else if (last < bottom) {
      out_.pen(0);
      for (int n = 0; n < bottom; ++n) out_.raw("\r\n");
      out_.csi(bottom, "A");
    }
  }

  // The cursor stays, and nothing later scrolls in a terminal of this size.
  void make_room(int rows) {
    out_.pen(0);
    for (int n = 0; n < rows; ++n) out_.raw("\x1b\x44");
    out_.csi(rows, "A");
  }

  // False if there is none.
  bool history_rows() {
    Tables old_tables;
    Row row;
    Row next;
    History::Reader reader(state_.history, history_rows_);
    const Grid& grid = state_.primary.grid;
    const int cols = state_.size.cols;
    bool more = reader.next(cols, old_tables, row);
    if (!more) return false;
    if (row.wrapped) out_.wrap_top_row();
    out_.use(old_tables);
    while (more) {
      more = reader.next(cols, old_tables, next);
      out_.row(row, more ? &next : &grid.row(0), more ? old_tables : state_.tables);
      std::swap(row, next);
    }
    out_.use(state_.tables);
    return true;
  }

  // The same with positions that fit only this size.
  void fixed_primary() {
    const Buffer& primary = state_.primary;
    if (!state_.alternate_active && state_.alternate.saved != SavedCursor()) {
      out_.raw("\x1b[?47h");
      saved_cursor(state_.alternate);
      out_.raw("\x1b[?47l\x1b[H");
    }
    if (history_rows())
      rows_up_to(primary.grid, primary.grid.rows());
    else
      screen_rows(primary.grid);
    buffer_details(primary);
    if (state_.alternate_active) out_.csi(primary.cursor.y + 1, "H");
  }

  void alternate_rows() {
    out_.raw("\x1b[H");
    out_.at_column(0);
    screen_rows(state_.alternate.grid);
  }

  void screen_rows(const Grid& grid) {
    if (grid.row(0).wrapped) out_.wrap_top_row();
    int count = grid.rows();
    while (count > 0 && is_default(grid.row(count - 1))) --count;
    rows_up_to(grid, count);
  }

  void rows_up_to(const Grid& grid, int count) {
    for (int y = 0; y < count; ++y)
      out_.row(grid.row(y), y + 1 < count ? &grid.row(y + 1) : nullptr, state_.tables);
  }

  // Everything of a screen except its rows and cursor.
  void buffer_details(const Buffer& buffer) {
    tab_stops(buffer.tabs);
    saved_cursor(buffer);
    write_keyboard(buffer.keyboard, out_);
    if (buffer.top != 0 || buffer.bottom != state_.size.rows - 1)
      out_.csi(buffer.top + 1, buffer.bottom + 1, "r");
  }

  [[nodiscard]] bool has_usual_tabs(const TabStops& tabs) const {
    TabStops usual;
    usual.reset(state_.size.cols);
    return tabs == usual;
  }

  void tab_stops(const TabStops& tabs) {
    if (has_usual_tabs(tabs)) return;
    out_.raw("\x1b[3g");
    for (int x = 0; x < state_.size.cols; ++x) {
      if (!tabs.at(x)) continue;
      out_.csi(x + 1, "G");
      out_.raw("\x1bH");
    }
  }

  void saved_cursor(const Buffer& buffer) {
    const SavedCursor& saved = buffer.saved;
    if (saved == SavedCursor()) return;
    out_.csi(saved.cursor.y + 1, saved.cursor.x + 1, "H");
    save(saved);
  }

  // The same, relative to where the cursor is.
  void saved_cursor_from(Cursor at) {
    const SavedCursor& saved = state_.primary.saved;
    const int down = saved.cursor.y - at.y;
    if (down != 0) out_.csi(std::abs(down), down > 0 ? "B" : "A");
    if (saved.cursor.x != at.x) out_.csi(saved.cursor.x + 1, "G");
    save(saved);
  }

  void save(const SavedCursor& saved) {
    out_.pen(saved.pen, Link());
    designate('(', saved.charset);
    out_.raw(
        "\x1b"
        "7");
    if (saved.charset != Charset::us) designate('(', Charset::us);
  }

  void designate(char slot, Charset charset) {
    out_.raw(std::string{'\x1b', slot, designator_of(charset)});
  }

  void charsets() {
    const Charsets& sets = state_.charsets;
    for (std::size_t i = 0; i < sets.g.size(); ++i)
      if (sets.g[i] != Charset::us) designate("()*+"[i], sets.g[i]);
    static constexpr std::array<std::string_view, 4> kShifts{"", "\x0e", "\x1bn", "\x1bo"};
    out_.raw(kShifts[sets.level]);
    // Only DECRC selects a set that is in none of the slots, and that set is the saved one.
    if (!has_restored_charset()) return;
    out_.pen(state_.active().saved.pen, Link());
    out_.raw(
        "\x1b"
        "8");
  }

  void go_to(int x, int y) {
    const int top = state_.modes.origin ? state_.active().top : 0;
    out_.csi(y - top + 1, x + 1, "H");
  }

  // Prints the last column's character again, which puts the cursor beyond it.
  void reprint_last(Charset charset) {
    const Buffer& buffer = state_.active();
    const Row& row = buffer.grid.row(buffer.cursor.y);
    const int last = state_.size.cols - 1;
    const int from = row.at(last).is_spacer() ? last - 1 : last;
    go_to(from, buffer.cursor.y);
    out_.pen(row.at(from).style);
    if (row.at(from).width() == Width::zero) out_.repeat_pen();
    out_.cell_text(row.at(from), charset);
  }

  [[nodiscard]] bool has_restored_charset() const {
    return state_.charsets.active != state_.charsets.g[state_.charsets.level];
  }

  // The order of the last steps depends on which of them prints.
  void cursor_charsets_and_pen() {
    const auto [x, y] = state_.active().cursor;
    const bool early_charsets = state_.preceding > 0 || has_restored_charset();
    if (early_charsets) charsets();
    if (state_.preceding > 0) return joinable_cursor();
    if (x < state_.size.cols) {
      go_to(x, y);
    } else {
      pending_wrap();
      if (x > state_.size.cols) out_.raw("\u0301");
    }
    if (!early_charsets) charsets();
    final_pen();
    if (state_.modes.insert) out_.csi("4h");
  }

  // The same, with the cursor already in place except for the character that is printed last.
  void charsets_and_pen_in_place() {
    const Cursor cursor = state_.primary.cursor;
    if (state_.preceding == 0 && reprinted() > 0) {
      const Cell last = state_.primary.grid.row(cursor.y).at(place().x);
      out_.pen(last.style);
      out_.repeat_pen();
      out_.cell_text(last);
      out_.repeat_pen();
      if (cursor.x > state_.size.cols) out_.raw("\u0301");
    }
    charsets();
    final_pen();
    if (state_.modes.insert) out_.csi("4h");
    if (state_.preceding > 0) joinable_character();
  }

  void final_pen() { out_.pen(state_.pen, state_.tables.links[state_.pen.link]); }

  // The character before the cursor was printed with the current pen, modes and character set.
  // Printing it last lets a combining character join it again.
  void joinable_cursor() {
    const Buffer& buffer = state_.active();
    final_pen();
    const int from = buffer.cursor.x - state_.preceding;
    go_to(from, buffer.cursor.y);
    if (state_.modes.insert) out_.csi("4h");
    joinable_character();
  }

  void joinable_character() {
    const Buffer& buffer = state_.active();
    const int from = buffer.cursor.x - state_.preceding;
    if (state_.modes.insert) out_.csi(state_.preceding, "P");
    out_.cell_text(buffer.grid.row(buffer.cursor.y).at(from), state_.charsets.active);
  }

  // The cursor is beyond the last column. Screen::settle_pending_wrap makes sure that one of these
  // ways works.
  void pending_wrap() {
    const Buffer& buffer = state_.active();
    const int cols = state_.size.cols;
    const int y = buffer.cursor.y;
    const Cell last = buffer.grid.row(y).at(cols - 1);
    if (!state_.alternate_active && !has_restored_charset()) {
      // The cursor keeps its place when screens are switched, and leaving drops the alternate one.
      out_.raw("\x1b[?47h");
      out_.csi(y + 1, cols, "H");
      out_.raw(" \x1b[?47l");
    } else if (last.has_content() || last.is_spacer()) {
      reprint_last(has_restored_charset() ? state_.charsets.active : Charset::us);
      out_.repeat_pen();
    } else {
      go_to(cols - 1, y);
      out_.raw(" ");
      out_.pen(last.style);
      out_.raw("\x1b[1K");
    }
  }

  const State& state_;
  int history_rows_;
  SnapshotWriter out_;
};

}  // namespace

Checkpoint checkpoint(const Screen& screen, std::size_t most) {
  Checkpoint made = Snapshot(screen.state(), 0).write_checkpoint(most);
  made.bytes += screen.parser().unfinished_settled();
  return made;
}

std::string snapshot(const Screen& screen, const SnapshotOptions& options) {
  std::string out = Snapshot(screen.state(), options.history_rows).write();
  out += options.unfinished == Unfinished::carry ? screen.parser().unfinished()
                                                 : screen.parser().unfinished_settled();
  return out;
}

}  // namespace vt
