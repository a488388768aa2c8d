// Control sequences that move the cursor and change cells.

#include <algorithm>
#include <array>

#include "vt/screen.h"
#include "vt/sgr_writer.h"

namespace vt {

// The count up to which a sequence makes a difference. Emulators repeat it as often as it asks
// for.
enum class Most : std::uint8_t { any, rows, cols, repeats };

struct CsiEntry {
  Identifier id;
  void (Screen::*handle)(const Params&);
  Most most = Most::any;
};

// The dispatch table: a sequence's name, and what it does.
struct CsiTable {
  using Entry = CsiEntry;
  static constexpr std::array kEntries{
      Entry{identifier("@"), &Screen::insert_chars},
      Entry{identifier("A"), &Screen::cursor_up},
      Entry{identifier("B"), &Screen::cursor_down},
      Entry{identifier("C"), &Screen::cursor_forward},
      Entry{identifier("D"), &Screen::cursor_backward},
      Entry{identifier("E"), &Screen::cursor_next_line},
      Entry{identifier("F"), &Screen::cursor_preceding_line},
      Entry{identifier("G"), &Screen::cursor_column},
      Entry{identifier("H"), &Screen::cursor_position},
      Entry{identifier("I"), &Screen::tab_forward, Most::cols},
      Entry{identifier("J"), &Screen::erase_in_display},
      Entry{identifier("K"), &Screen::erase_in_line},
      Entry{identifier("L"), &Screen::insert_lines, Most::rows},
      Entry{identifier("M"), &Screen::delete_lines, Most::rows},
      Entry{identifier("P"), &Screen::delete_chars},
      Entry{identifier("S"), &Screen::scroll_up, Most::rows},
      Entry{identifier("T"), &Screen::scroll_down, Most::rows},
      Entry{identifier("X"), &Screen::erase_chars},
      Entry{identifier("Z"), &Screen::tab_backward, Most::cols},
      Entry{identifier("`"), &Screen::cursor_column},
      Entry{identifier("a"), &Screen::cursor_forward},
      Entry{identifier("b"), &Screen::repeat, Most::repeats},
      Entry{identifier("c"), &Screen::device_attributes},
      Entry{identifier("d"), &Screen::cursor_row_absolute},
      Entry{identifier("e"), &Screen::cursor_row_relative},
      Entry{identifier("f"), &Screen::cursor_position},
      Entry{identifier("g"), &Screen::tab_clear},
      Entry{identifier("h"), &Screen::set_mode},
      Entry{identifier("l"), &Screen::reset_mode},
      Entry{identifier("m"), &Screen::select_attributes},
      Entry{identifier("n"), &Screen::device_status},
      Entry{identifier("r"), &Screen::set_margins},
      Entry{identifier("s"), &Screen::save_cursor_csi},
      Entry{identifier("t"), &Screen::window_operation},
      Entry{identifier("u"), &Screen::restore_cursor_csi},
      Entry{identifier(" @"), &Screen::scroll_left},
      Entry{identifier(" A"), &Screen::scroll_right},
      Entry{identifier(" q"), &Screen::cursor_style},
      Entry{identifier("!p"), &Screen::soft_reset},
      Entry{identifier("\"q"), &Screen::select_protected},
      Entry{identifier("$p"), &Screen::request_mode},
      Entry{identifier("'}"), &Screen::insert_columns},
      Entry{identifier("'~"), &Screen::delete_columns},
      Entry{identifier("<u"), &Screen::keyboard_pop},
      Entry{identifier("=c"), &Screen::tertiary_attributes},
      Entry{identifier("=u"), &Screen::keyboard_set},
      Entry{identifier(">c"), &Screen::secondary_attributes},
      Entry{identifier(">q"), &Screen::terminal_version},
      Entry{identifier(">u"), &Screen::keyboard_push},
      Entry{identifier("?J"), &Screen::erase_in_display_selective},
      Entry{identifier("?K"), &Screen::erase_in_line_selective},
      Entry{identifier("?h"), &Screen::set_private_mode},
      Entry{identifier("?l"), &Screen::reset_private_mode},
      Entry{identifier("?n"), &Screen::private_device_status},
      Entry{identifier("?u"), &Screen::keyboard_query},
      Entry{identifier("?$p"), &Screen::request_private_mode},
  };
  static_assert(std::ranges::is_sorted(kEntries, {}, &Entry::id));

  static constexpr auto kByFinal = [] {
    std::array<std::uint8_t, 128> index{};
    for (std::size_t i = 0; i < kEntries.size(); ++i)
      if (kEntries[i].id < index.size()) index[kEntries[i].id] = static_cast<std::uint8_t>(i + 1);
    return index;
  }();

  // xterm.js has no limit. Here it is the columns of the widest row, so that a few bytes cannot
  // cost much.
  static constexpr int kMostRepeats = kMaxSide;

  // `width` is that of the character before the cursor, if there is one.
  static int most(const Entry& entry, Size size, int width) {
    if (entry.most == Most::repeats) return kMostRepeats / std::max(width, 1);
    return entry.most == Most::rows ? size.rows : size.cols;
  }

  static const Entry* find(Identifier id) {
    if (id < kByFinal.size()) return kByFinal[id] > 0 ? &kEntries[kByFinal[id] - 1U] : nullptr;
    const auto it = std::ranges::lower_bound(kEntries, id, {}, &Entry::id);
    return it != kEntries.end() && it->id == id ? &*it : nullptr;
  }
};

void Screen::csi_dispatch(Identifier id, const Params& params) {
  const int preceding = state_.preceding;
  charge(kSequenceWork);
  if (const auto* entry = CsiTable::find(id)) {
    if (entry->most != Most::any)
      limit_count(params[0], CsiTable::most(*entry, state_.size, preceding), static_cast<char>(id));
    (this->*entry->handle)(params);
  }
  // Viewers never see a query, so it must not separate a character from a combining mark.
  state_.preceding = is_query_ ? preceding : 0;
  flush_reply();
}

// A count of billions would keep a viewer's emulator busy for minutes.
void Screen::limit_count(int count, int most, char final) {
  if (count <= most) return;
  std::string text = "\x1b[";
  append_number(text, static_cast<unsigned>(most));
  send_instead(text += final);
}

void Screen::cursor_up(const Params& params) {
  const int room = buffer().cursor.y - buffer().top;
  const int count = params.count_at(0);
  move_cursor(0, -std::int64_t{room >= 0 ? std::min(room, count) : count});
}

void Screen::cursor_down(const Params& params) {
  const int room = buffer().bottom - buffer().cursor.y;
  const int count = params.count_at(0);
  move_cursor(0, room >= 0 ? std::min(room, count) : count);
}

void Screen::cursor_forward(const Params& params) {
  move_cursor(params.count_at(0), 0);
}

void Screen::cursor_backward(const Params& params) {
  move_cursor(-std::int64_t{params.count_at(0)}, 0);
}

void Screen::cursor_next_line(const Params& params) {
  cursor_down(params);
  buffer().cursor.x = 0;
}

void Screen::cursor_preceding_line(const Params& params) {
  cursor_up(params);
  buffer().cursor.x = 0;
}

void Screen::cursor_column(const Params& params) {
  set_cursor(params.count_at(0) - 1, buffer().cursor.y);
}

void Screen::cursor_position(const Params& params) {
  set_cursor(params.count_at(1) - 1, params.count_at(0) - 1);
}

void Screen::cursor_row_absolute(const Params& params) {
  set_cursor(buffer().cursor.x, params.count_at(0) - 1);
}

void Screen::cursor_row_relative(const Params& params) {
  move_cursor(0, params.count_at(0));
}

void Screen::tab_forward(const Params& params) {
  Cursor& cursor = buffer().cursor;
  if (cursor.x >= state_.size.cols) return;
  for (int n = std::min(params.count_at(0), state_.size.cols); n > 0; --n)
    cursor.x = buffer().tabs.next(cursor.x);
}

void Screen::tab_backward(const Params& params) {
  Cursor& cursor = buffer().cursor;
  if (cursor.x >= state_.size.cols) return;
  for (int n = std::min(params.count_at(0), state_.size.cols); n > 0; --n)
    cursor.x = buffer().tabs.previous(cursor.x);
}

void Screen::tab_clear(const Params& params) {
  if (params[0] == 0) buffer().tabs.clear(buffer().cursor.x);
  if (params[0] == 3) buffer().tabs.clear_all();
}

void Screen::insert_chars(const Params& params) {
  restrict_cursor();
  charge(state_.size.cols / 2);
  cursor_row().insert(buffer().cursor.x, params.count_at(0), erased(), state_.size.cols);
}

void Screen::delete_chars(const Params& params) {
  restrict_cursor();
  charge(state_.size.cols / 2);
  cursor_row().remove(buffer().cursor.x, params.count_at(0), erased(), state_.size.cols);
}

void Screen::erase_chars(const Params& params) {
  restrict_cursor();
  const int x = buffer().cursor.x;
  const int end = x + std::min(params.count_at(0), state_.size.cols - x);
  cursor_row().replace(x, end, erased(), state_.size.cols);
}

void Screen::reset_rows(int top, int count, Cell fill) {
  charge(count * kRowWork);
  for (int y = top; y < top + count; ++y) buffer().grid.row(y).reset(fill);
}

void Screen::insert_lines(const Params& params) {
  restrict_cursor();
  if (!in_margins()) return;
  Buffer& b = buffer();
  const int count = std::min(params.count_at(0), b.bottom - b.cursor.y + 1);
  b.grid.rotate_down(b.cursor.y, b.bottom, count);
  reset_rows(b.cursor.y, count, erased());
  keep_bottom_plain(b);
  b.cursor.x = 0;
}

void Screen::delete_lines(const Params& params) {
  restrict_cursor();
  if (!in_margins()) return;
  Buffer& b = buffer();
  const int count = std::min(params.count_at(0), b.bottom - b.cursor.y + 1);
  b.grid.rotate_up(b.cursor.y, b.bottom, count);
  reset_rows(b.bottom + 1 - count, count, erased());
  b.cursor.x = 0;
}

// Unlike a line feed at the bottom margin, SU does not save what it scrolls away.
void Screen::scroll_up(const Params& params) {
  Buffer& b = buffer();
  const int count = std::min(params.count_at(0), b.bottom - b.top + 1);
  b.grid.rotate_up(b.top, b.bottom, count);
  reset_rows(b.bottom + 1 - count, count, erased());
  settle_pending_wrap();
}

void Screen::scroll_down(const Params& params) {
  Buffer& b = buffer();
  const int count = std::min(params.count_at(0), b.bottom - b.top + 1);
  b.grid.rotate_down(b.top, b.bottom, count);
  reset_rows(b.top, count, Cell());
  keep_bottom_plain(b);
  settle_pending_wrap();
}

void Screen::scroll_left(const Params& params) {
  remove_columns(0, params.count_at(0));
}

void Screen::scroll_right(const Params& params) {
  add_columns(0, params.count_at(0));
}

void Screen::insert_columns(const Params& params) {
  add_columns(buffer().cursor.x, params.count_at(0));
}

void Screen::delete_columns(const Params& params) {
  remove_columns(buffer().cursor.x, params.count_at(0));
}

void Screen::add_columns(int x, int count) {
  change_columns([&](Row& row) { row.insert(x, count, erased(), state_.size.cols); });
}

void Screen::remove_columns(int x, int count) {
  change_columns([&](Row& row) { row.remove(x, count, erased(), state_.size.cols); });
}

template <class F>
void Screen::change_columns(F change) {
  if (!in_margins()) return;
  for (int y = buffer().top; y <= buffer().bottom; ++y) {
    Row& row = buffer().grid.row(y);
    change(row);
    charge(static_cast<std::int64_t>(row.written().size()) / 2 + kRowWork);
    row.wrapped = false;
  }
  settle_pending_wrap();
}

void Screen::repeat(const Params& params) {
  if (state_.preceding == 0) return;
  const std::string text =
      state_.tables.text(cursor_row().at(buffer().cursor.x - state_.preceding));
  const int count = std::min(params.count_at(0), CsiTable::kMostRepeats / state_.preceding);
  charge(2 * count);
  if (text.size() == 1 && state_.charsets.active == Charset::us)
    return print_ascii(std::string(static_cast<std::size_t>(count), text[0]));
  std::vector<char32_t> character;
  for (std::string_view rest = text; !rest.empty();) character.push_back(take_utf8(rest));
  print(character);
  repeat_last(character, count - 1);
}

void Screen::set_margins(const Params& params) {
  const int top = params.count_at(0);
  int bottom = params[1];
  if (bottom == 0 || bottom > state_.size.rows) bottom = state_.size.rows;
  if (bottom <= top) return;
  buffer().top = top - 1;
  buffer().bottom = bottom - 1;
  set_cursor(0, 0);
}

void Screen::save_cursor_csi(const Params& /*params*/) {
  save_cursor();
}

void Screen::restore_cursor_csi(const Params& /*params*/) {
  restore_cursor();
}

}  // namespace vt
