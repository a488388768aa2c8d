// Everything a terminal remembers about its screen, as plain data. Screen changes it, a snapshot
// writes it, tests compare it (test_difference.h).

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vt/charset.h"
#include "vt/history.h"
#include "vt/row.h"
#include "vt/tables.h"

namespace vt {

struct Size {
  int cols = 80;
  int rows = 24;
  friend bool operator==(const Size&, const Size&) = default;
};

// x may equal the number of columns: the last column is written and the next character wraps. It is
// one more if a combining character was lost there.
struct Cursor {
  int x = 0;
  int y = 0;
  friend bool operator==(const Cursor&, const Cursor&) = default;
};

struct SavedCursor {
  Cursor cursor;
  Style pen;  // no link, no underline colour, underlined or not: xterm.js saves no more
  Charset charset = Charset::us;
  friend bool operator==(const SavedCursor&, const SavedCursor&) = default;
};

// Rows from top to bottom. Scrolling changes only their order, two bytes a row. Scrolling the whole
// screen moves nothing, because the order is a ring.
class Grid {
 public:
  [[nodiscard]] int rows() const { return static_cast<int>(rows_.size()); }
  [[nodiscard]] Row& row(int y) { return rows_[order_[index(y)]]; }
  [[nodiscard]] const Row& row(int y) const { return rows_[order_[index(y)]]; }

  // Moves rows [top, bottom]. Rows that fall off one end come in unchanged at the other. `count` is
  // at most the number of these rows.
  void rotate_up(int top, int bottom) {
    if (top > 0 || bottom < rows() - 1) return rotate_up(top, bottom, 1);
    first_ = first_ + 1 < rows_.size() ? first_ + 1 : 0;
  }
  void rotate_up(int top, int bottom, int count);
  void rotate_down(int top, int bottom, int count) {
    rotate_up(top, bottom, bottom - top + 1 - count);
  }
  // Takes all rows out, top first, or puts them back.
  [[nodiscard]] std::vector<Row> take();
  void put(std::vector<Row> rows);

 private:
  [[nodiscard]] std::size_t index(int y) const {
    const std::size_t i = first_ + static_cast<std::size_t>(y);
    return i < rows_.size() ? i : i - rows_.size();
  }

  std::vector<Row> rows_;
  std::vector<std::uint16_t> order_;  // of rows_, the top one at first_
  std::size_t first_ = 0;
};

class TabStops {
 public:
  static constexpr int kEvery = 8;

  void reset(int cols);
  // As xterm.js does it: stops every eight columns from the last one on.
  void resize(int cols);
  void set(int x) {
    if (x < static_cast<int>(stops_.size())) stops_[static_cast<std::size_t>(x)] = true;
  }
  void clear(int x) {
    if (x < static_cast<int>(stops_.size())) stops_[static_cast<std::size_t>(x)] = false;
  }
  void clear_all() { stops_.assign(stops_.size(), false); }
  [[nodiscard]] bool at(int x) const { return stops_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] int next(int x) const;
  [[nodiscard]] int previous(int x) const;
  friend bool operator==(const TabStops&, const TabStops&) = default;

 private:
  std::vector<bool> stops_;
};

// The kitty keyboard protocol's flags: the current ones, and the stack below them.
struct KeyboardFlags {
  static constexpr std::size_t kMaxPushed = 16;
  std::uint8_t current = 0;
  std::vector<std::uint8_t> pushed;
  friend bool operator==(const KeyboardFlags&, const KeyboardFlags&) = default;
};

struct Buffer {
  Grid grid;
  Cursor cursor;
  int top = 0;  // margins, inclusive
  int bottom = 0;
  TabStops tabs;
  SavedCursor saved;
  KeyboardFlags keyboard;
};

enum class MouseProtocol : std::uint8_t { none, x10, vt200, drag, any };
enum class MouseEncoding : std::uint8_t { basic, sgr, sgr_pixels };
enum class CursorShape : std::uint8_t { unset, block, underline, bar };

struct Modes {
  bool application_cursor_keys = false;
  bool application_keypad = false;
  bool bracketed_paste = false;
  bool insert = false;
  bool origin = false;
  bool reverse_wraparound = false;
  bool send_focus = false;
  bool synchronized_output = false;
  bool wraparound = true;
  CursorShape cursor_shape = CursorShape::unset;
  std::optional<bool> cursor_blink;  // as DECSCUSR set it
  friend bool operator==(const Modes&, const Modes&) = default;
};

// What a full reset (ESC c) leaves alone, as xterm.js does.
struct LastingModes {
  bool cursor_visible = true;
  std::optional<bool> blink_option;  // CSI ? 12 h; the viewer's choice until a program sets it
  bool newline = false;              // CSI 20 h
  friend bool operator==(const LastingModes&, const LastingModes&) = default;
};

struct Charsets {
  std::array<Charset, 4> g{};
  std::uint8_t level = 0;
  Charset active = Charset::us;  // differs from g[level] after DECRC only
  friend bool operator==(const Charsets&, const Charsets&) = default;
};

struct Titles {
  static constexpr std::size_t kMaxPushed = 10;
  std::string title;
  std::string icon;
  std::vector<std::string> title_stack;
  std::vector<std::string> icon_stack;
  friend bool operator==(const Titles&, const Titles&) = default;
};

// Colours that OSC 4, 10, 11 and 12 changed: 0 to 255, then foreground, background, cursor.
struct Palette {
  static constexpr int kForeground = 256;
  static constexpr int kBackground = 257;
  static constexpr int kCursor = 258;
  std::map<int, std::uint32_t> changed;
  friend bool operator==(const Palette&, const Palette&) = default;
};

struct State {
  Size size;
  Buffer primary;
  Buffer alternate;  // has rows only while it is active
  bool alternate_active = false;
  Style pen;
  // Columns of the last printed character if nothing came after it, else 0. A combining character
  // or REP applies to it. Its cell is that many columns before the cursor.
  int preceding = 0;
  Charsets charsets;
  Modes modes;
  LastingModes lasting;
  MouseProtocol mouse_protocol = MouseProtocol::none;
  MouseEncoding mouse_encoding = MouseEncoding::basic;
  Titles titles;
  std::string working_directory;  // the URI from OSC 7
  Palette palette;
  Tables tables;
  History history;

  [[nodiscard]] Buffer& active() { return alternate_active ? alternate : primary; }
  [[nodiscard]] const Buffer& active() const { return alternate_active ? alternate : primary; }
  // Bytes of heap, without the history ring.
  [[nodiscard]] std::size_t memory() const;
};

}  // namespace vt
