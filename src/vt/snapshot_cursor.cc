#include "vt/snapshot_cursor.h"

#include <cstdlib>

namespace vt {

// Columns of the character that is printed last, so that a combining character can still join it
// or the next character wraps.
int SnapshotCursor::reprinted() const {
  if (state_.preceding > 0) return state_.preceding;
  const auto [x, y] = state_.primary.cursor;
  const int cols = state_.size.cols;
  if (x < cols) return 0;
  return x - cols + (state_.primary.grid.row(y).at(cols - 1).is_spacer() ? 2 : 1);
}

// Where printing leaves the primary screen's cursor. While the alternate screen is active, only
// the row matters; use the column that leaving it restores.
Cursor SnapshotCursor::place() const {
  const Buffer& primary = state_.primary;
  const auto [x, y] = primary.cursor;
  if (!state_.alternate_active) return {.x = x - reprinted(), .y = y};
  const bool same_row = primary.saved != SavedCursor() && primary.saved.cursor.y == y;
  return {.x = same_row ? primary.saved.cursor.x : 0, .y = y};
}

void SnapshotCursor::saved_cursor(const Buffer& buffer) {
  const SavedCursor& saved = buffer.saved;
  if (saved == SavedCursor()) return;
  out_.csi(saved.cursor.y + 1, saved.cursor.x + 1, "H");
  save(saved);
}

// The same, relative to where the cursor is.
void SnapshotCursor::saved_cursor_from(Cursor at) {
  const SavedCursor& saved = state_.primary.saved;
  const int down = saved.cursor.y - at.y;
  if (down != 0) out_.csi(std::abs(down), down > 0 ? "B" : "A");
  if (saved.cursor.x != at.x) out_.csi(saved.cursor.x + 1, "G");
  save(saved);
}

void SnapshotCursor::save(const SavedCursor& saved) {
  out_.pen(saved.pen, Link());
  designate('(', saved.charset);
  out_.raw(
      "\x1b"
      "7");
  if (saved.charset != Charset::us) designate('(', Charset::us);
}

void SnapshotCursor::designate(char slot, Charset charset) {
  out_.raw(std::string{'\x1b', slot, designator_of(charset)});
}

void SnapshotCursor::charsets() {
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

void SnapshotCursor::go_to(int x, int y) {
  const int top = state_.modes.origin ? state_.active().top : 0;
  out_.csi(y - top + 1, x + 1, "H");
}

// Prints the last column's character again, which puts the cursor beyond it.
void SnapshotCursor::reprint_last(Charset charset) {
  const Buffer& buffer = state_.active();
  const Row& row = buffer.grid.row(buffer.cursor.y);
  const int last = state_.size.cols - 1;
  const int from = row.at(last).is_spacer() ? last - 1 : last;
  go_to(from, buffer.cursor.y);
  out_.pen(row.at(from).style);
  if (row.at(from).width() == Width::zero) out_.repeat_pen();
  out_.cell_text(row.at(from), charset);
}

bool SnapshotCursor::has_restored_charset() const {
  return state_.charsets.active != state_.charsets.g[state_.charsets.level];
}

// The order of the last steps depends on which of them prints.
void SnapshotCursor::cursor_charsets_and_pen() {
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
void SnapshotCursor::charsets_and_pen_in_place() {
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

void SnapshotCursor::final_pen() {
  out_.pen(state_.pen, state_.tables.links[state_.pen.link]);
}

// The character before the cursor was printed with the current pen, modes and character set.
// Printing it last lets a combining character join it again.
void SnapshotCursor::joinable_cursor() {
  const Buffer& buffer = state_.active();
  final_pen();
  const int from = buffer.cursor.x - state_.preceding;
  go_to(from, buffer.cursor.y);
  if (state_.modes.insert) out_.csi("4h");
  joinable_character();
}

void SnapshotCursor::joinable_character() {
  const Buffer& buffer = state_.active();
  const int from = buffer.cursor.x - state_.preceding;
  if (state_.modes.insert) out_.csi(state_.preceding, "P");
  out_.cell_text(buffer.grid.row(buffer.cursor.y).at(from), state_.charsets.active);
}

// The cursor is beyond the last column. Screen::settle_pending_wrap makes sure that one of these
// ways works.
void SnapshotCursor::pending_wrap() {
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

}  // namespace vt
