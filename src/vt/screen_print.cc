// Printing: where characters go, and what happens at the right edge and to halves of wide
// characters.

#include <algorithm>
#include <cstring>

#include "vt/cell_run.h"
#include "vt/row_codec.h"
#include "vt/screen.h"
#include "vt/text_run.h"
#include "vt/utf8.h"
#include "vt/width.h"

namespace vt {
namespace {

// xterm.js has no limit here; marks beyond this are dropped.
constexpr std::size_t kMaxGraphemeBytes = 64;

}  // namespace

void Screen::split_left(StyleId style) {
  const Cursor& cursor = buffer().cursor;
  if (cursor.x == 0 || !cursor_row().at(cursor.x - 1).is_wide()) return;
  Cell* halves = cursor_row().write(cursor.x - 1, cursor.x + 1, state_.size.cols);
  halves[0] = halves[1] = Cell::empty(style);
}

void Screen::split_right(StyleId style) {
  const Cursor& cursor = buffer().cursor;
  if (cursor.x < state_.size.cols && cursor_row().at(cursor.x).is_spacer() &&
      !(cursor.x > 0 && cursor_row().at(cursor.x - 1).is_wide()))
    cursor_row().set(cursor.x, Cell::empty(style), state_.size.cols);
}

// ASCII that fits in the row.
[[gnu::always_inline]] inline void Screen::put_run(Row& row, std::string_view text) {
  Cursor& cursor = buffer().cursor;
  const int end = cursor.x + static_cast<int>(text.size());
  const bool encoded = is_encoded_here(row);
  Cell* const cells = row.write(cursor.x, end, state_.size.cols);
  char* const copy =
      encoded ? encode_run(row, end, text.size(), text.size() - 1, pen_id_, state_.tables)
              : nullptr;
  put_ascii(cells, text, pen_id_, copy);
  cursor.x = end;
}

// In insert mode, moves the text at the cursor right by that many columns. At the end of the row
// there is nowhere to move it.
void Screen::open_gap(int columns) {
  const int cols = state_.size.cols;
  const int x = buffer().cursor.x;
  if (!state_.modes.insert || x + columns >= cols) return;
  charge(cols / 2);
  cursor_row().insert(x, columns, Cell::empty(pen_id_), cols);
}

void Screen::put_or_insert_run(std::string_view text) {
  open_gap(static_cast<int>(text.size()));
  put_run(cursor_row(), text);
}

void Screen::print_ascii(std::string_view text) {
  if (state_.charsets.active != Charset::us) {
    for (const char c : text) {
      const char32_t code = translate(state_.charsets.active, c);
      print({&code, 1});
    }
    return;
  }
  if (pen_changed_) use_pen();
  const int cols = state_.size.cols;
  Cursor& cursor = buffer().cursor;
  state_.preceding = 1;
  Row& row = cursor_row();
  if (cursor.x + static_cast<std::ptrdiff_t>(text.size()) <= cols &&
      cursor.x >= static_cast<int>(row.written().size()) && !state_.modes.insert)
    return put_run(row, text);
  open_left(pen_id_);
  while (cursor.x + static_cast<std::ptrdiff_t>(text.size()) > cols) {
    const auto room = static_cast<std::size_t>(std::max(cols - cursor.x, 0));
    if (room > 0) put_or_insert_run(text.substr(0, room));
    text.remove_prefix(room);
    if (state_.modes.wraparound) {
      wrap();
    } else {
      // Everything that does not fit lands on the last column, so only the last character stays.
      text.remove_prefix(text.size() - 1);
      cursor.x = cols - 1;
      open_left(pen_id_);
    }
  }
  put_or_insert_run(text);
  close_right(pen_id_);
}

void Screen::print(std::span<const char32_t> text) {
  if (pen_changed_) use_pen();
  open_left(pen_id_);
  for (const char32_t code : text) {
    const bool ascii = code < 0x7f;
    print_one(ascii ? translate(state_.charsets.active, static_cast<char>(code)) : code, pen_id_);
  }
  close_right(pen_id_);
}

std::size_t Screen::print_text(std::string_view utf8) {
  const auto* const begin = reinterpret_cast<const unsigned char*>(utf8.data());
  char32_t first = 0;
  if (decode_printable(begin, begin + utf8.size(), first) == 0) return 0;
  if (pen_changed_) use_pen();
  open_left(pen_id_);
  const bool plain = state_.charsets.active == Charset::us && !state_.modes.insert;
  std::string_view left = utf8;
  while (!left.empty()) {
    if (plain) left.remove_prefix(print_plain(left));
    const auto* p = reinterpret_cast<const unsigned char*>(left.data());
    // ASCII that follows is handled elsewhere.
    if (left.empty() || *p < 0x80) break;
    char32_t code = 0;
    const std::size_t length = decode_printable(p, p + left.size(), code);
    if (length == 0) break;
    const int width = static_cast<int>(width_of(code));
    if (width == 0 && state_.preceding > 0) {
      join(code);
      left.remove_prefix(length);
      continue;
    }
    const bool wraps = plain && state_.modes.wraparound && width > 0 && width <= state_.size.cols;
    if (wraps) {
      make_room(width, pen_id_);
    } else {
      print_one(code, pen_id_);
      left.remove_prefix(length);
    }
  }
  close_right(pen_id_);
  return utf8.size() - left.size();
}

// Prints the leading characters that take columns and fit in the row; nothing else can happen to
// them. Returns their size in bytes. Stops at a long run of ASCII.
std::size_t Screen::print_plain(std::string_view utf8) {
  const int cols = state_.size.cols;
  Cursor& cursor = buffer().cursor;
  if (cursor.x >= cols) return 0;
  Row& row = cursor_row();
  const bool encoded = is_encoded_here(row);
  Cell* const cells = row.write_from(cursor.x, cols);
  const auto* const begin = reinterpret_cast<const unsigned char*>(utf8.data());
  TextRun run(begin, begin + utf8.size(), cells, cells + (cols - cursor.x), pen_id_);
  run.write();
  const auto size = static_cast<std::size_t>(run.position() - begin);
  if (size == 0) return 0;
  cursor.x += static_cast<int>(run.cell() - cells);
  row.wrote(cursor.x);
  state_.preceding = run.cell()[-1].is_spacer() ? 2 : 1;
  if (!encoded) return size;
  std::size_t last = size - 1;
  while ((begin[last] & 0xc0) == 0x80) --last;
  if (char* const copy = encode_run(row, cursor.x, size, last, pen_id_, state_.tables))
    std::memcpy(copy, begin, size);
  return size;
}

void Screen::print_one(char32_t code, StyleId style) {
  const int width = static_cast<int>(width_of(code));
  if (width == 0 && state_.preceding > 0) return join(code);
  state_.preceding = 0;
  if (!make_room(width, style)) return;
  const int cols = state_.size.cols;
  Cursor& cursor = buffer().cursor;
  Row& row = cursor_row();
  if (width > 0) open_gap(width);
  Cell* cells = row.write(cursor.x, cursor.x + std::max(width, 1), cols);
  cells[0] = Cell::character(code, static_cast<Width>(width), style);
  if (width == 2) cells[1] = Cell::spacer(style);
  cursor.x += std::max(width, 1);
  state_.preceding = width;
}

// Repeats the last printed character that many times, whole rows of cells at a time.
void Screen::repeat_last(std::span<const char32_t> character, int count) {
  const Cursor& cursor = buffer().cursor;
  const int cols = state_.size.cols;
  const int width = state_.preceding;
  const Cell cell = width > 0 ? cursor_row().at(cursor.x - width) : Cell();
  while (count > 0) {
    if (width == 0 || (cursor.x + width > cols && !state_.modes.wraparound)) {
      // The last column gets them all, or none do. After two, more change nothing.
      for (count = std::min(count, 2); count > 0; --count) print(character);
      return;
    }
    make_room(width, pen_id_);
    const int copies = std::min(count, (cols - cursor.x) / width);
    put_copies(cell, copies);
    count -= copies;
  }
  close_right(pen_id_);
}

void Screen::put_copies(Cell cell, int count) {
  Cursor& cursor = buffer().cursor;
  const int width = cell.is_wide() ? 2 : 1;
  const int end = cursor.x + count * width;
  Row& row = cursor_row();
  const int cols = state_.size.cols;
  open_gap(end - cursor.x);
  const bool encoded = is_encoded_here(row) && !cell.is_grapheme();
  Cell* cells = row.write(cursor.x, end, cols);
  if (width == 1) {
    std::fill_n(cells, count, cell);
  } else {
    const Cell halves[] = {cell, Cell::spacer(cell.style)};
    for (int i = 0; i < count; ++i) std::memcpy(cells + 2 * i, halves, sizeof halves);
  }
  cursor.x = end;
  if (!encoded) return;
  char bytes[4];
  const auto length = static_cast<std::size_t>(put_utf8(bytes, cell.content()) - bytes);
  const auto copies = static_cast<std::size_t>(count);
  char* const copy =
      encode_run(row, end, length * copies, length * (copies - 1), cell.style, state_.tables);
  if (copy == nullptr) return;
  std::memcpy(copy, bytes, length);
  fill_with_copies(copy, length, copies);
}

// Moves the cursor to where a character of this width fits. False if it must be dropped.
bool Screen::make_room(int width, StyleId style) {
  const int cols = state_.size.cols;
  Cursor& cursor = buffer().cursor;
  if (width > cols) return false;
  // A mark that has nothing to join takes a column of its own. After the last column there is none:
  // the mark is lost, and the next one wraps.
  if (width == 0 && cursor.x == cols) {
    ++cursor.x;
    return false;
  }
  if (cursor.x + width <= cols) return true;
  if (state_.modes.wraparound) {
    if (cursor.x < cols) cursor_row().replace(cursor.x, cols, Cell::empty(style), cols);
    wrap();
    return true;
  }
  cursor.x = cols - 1;
  open_left(style);
  if (width < 2) return true;
  keep_bottom_plain(buffer());
  return false;
}

// Moves to the start of the next row, which then continues this one.
void Screen::wrap() {
  Cursor& cursor = buffer().cursor;
  cursor.x = 0;
  if (cursor.y == buffer().bottom) {
    scroll(true);
    return;
  }
  cursor.y = std::min(cursor.y + 1, state_.size.rows - 1);
  cursor_row().wrapped = true;
}

void Screen::join(char32_t code) {
  Cursor& cursor = buffer().cursor;
  Row& row = cursor_row();
  const int x = cursor.x - state_.preceding;
  const Cell cell = row.at(x);
  RecentJoin& recent = recent_joins_[(cell.bits * 31 + code) % recent_joins_.size()];
  if (recent.cell != cell.bits || recent.mark != code) {
    std::string text = state_.tables.text(cell);
    append_utf8(text, code);
    if (text.size() > kMaxGraphemeBytes) return;
    if (state_.tables.wants_sweep()) collect_garbage();
    recent = {.cell = cell.bits, .mark = code, .id = state_.tables.graphemes.intern(text)};
  }
  const bool encoded = is_encoded_here(row);
  const Row::Encoding encoding = row.encoding();
  row.set(x, Cell::grapheme(recent.id, cell.width(), cell.style), state_.size.cols);
  if (!encoded) return;
  row.set_encoding(encoding);
  encode_join(row, state_.tables.graphemes[recent.id], cell.width());
}

}  // namespace vt
