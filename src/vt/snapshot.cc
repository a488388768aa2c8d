#include "vt/snapshot.h"

#include <algorithm>

#include "vt/snapshot_writer.h"

namespace vt {
namespace {

bool is_default(const Row& row) {
  return row.fill() == Cell() && !row.wrapped && row.marks == PromptMarks() &&
         std::ranges::all_of(row.written(), [](Cell cell) { return cell == Cell(); });
}

class Snapshot {
 public:
  Snapshot(const State& state, int history_rows)
      : state_(state),
        history_rows_(std::min(history_rows, state.history.rows())),
        out_(state.size) {}

  std::string write() {
    out_.raw(
        "\x1b"
        "c");
    out_.use(state_.tables);
    titles();
    colors();
    if (!state_.working_directory.empty()) out_.osc("7", state_.working_directory);
    if (!state_.alternate_active && state_.alternate.saved != SavedCursor()) {
      out_.raw("\x1b[?47h");
      saved_cursor(state_.alternate);
      out_.raw("\x1b[?47l\x1b[H");
    }
    primary_rows();
    if (state_.alternate_active) {
      buffer_details(state_.primary);
      out_.csi(state_.primary.cursor.y + 1, "H");
      out_.pen(0);
      out_.raw("\x1b[?47h");
      alternate_rows();
    }
    buffer_details(state_.active());
    modes();
    cursor_charsets_and_pen();
    return out_.take();
  }

 private:
  void titles() {
    const Titles& titles = state_.titles;
    // A reset leaves titles and their stacks alone, so what an old viewer may have goes first.
    for (std::size_t i = 0; i < Titles::kMaxPushed; ++i) out_.raw("\x1b[23t");
    for (const std::string& title : titles.title_stack) {
      out_.osc("2", title);
      out_.raw("\x1b[22;2t");
    }
    for (const std::string& icon : titles.icon_stack) {
      out_.osc("1", icon);
      out_.raw("\x1b[22;1t");
    }
    out_.osc("2", titles.title);
    out_.osc("1", titles.icon);
  }

  void colors() {
    out_.raw("\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\");
    for (const auto& [index, color] : state_.palette.changed) {
      static constexpr std::string_view kDigits = "0123456789abcdef";
      std::string text = "#";
      for (int shift = 20; shift >= 0; shift -= 4) text += kDigits[color >> shift & 15];
      if (index < Palette::kForeground) {
        out_.osc("4", std::to_string(index) + ";" + text);
      } else {
        out_.osc(std::to_string(index - Palette::kForeground + 10), text);
      }
    }
  }

  // History first, so that it scrolls off the screen as it once did.
  void primary_rows() {
    Tables old_tables;
    Row row;
    Row next;
    History::Reader reader(state_.history, history_rows_);
    const Grid& grid = state_.primary.grid;
    const int cols = state_.size.cols;
    bool more = reader.next(cols, old_tables, row);
    if (!more) return screen_rows(grid);
    if (row.wrapped) out_.wrap_top_row();
    out_.use(old_tables);
    while (more) {
      more = reader.next(cols, old_tables, next);
      out_.row(row, more ? &next : &grid.row(0), more ? old_tables : state_.tables);
      std::swap(row, next);
    }
    out_.use(state_.tables);
    rows_up_to(grid, grid.rows());
  }

  void alternate_rows() {
    out_.raw("\x1b[H");
    out_.at_row_start();
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

  // Everything of a screen but its rows and its cursor.
  void buffer_details(const Buffer& buffer) {
    tab_stops(buffer.tabs);
    saved_cursor(buffer);
    keyboard(buffer.keyboard);
    if (buffer.top != 0 || buffer.bottom != state_.size.rows - 1)
      out_.csi(buffer.top + 1, buffer.bottom + 1, "r");
  }

  void tab_stops(const TabStops& tabs) {
    TabStops usual;
    usual.reset(state_.size.cols);
    if (tabs == usual) return;
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
    out_.pen(saved.pen, Link());
    designate('(', saved.charset);
    out_.raw(
        "\x1b"
        "7");
    if (saved.charset != Charset::us) designate('(', Charset::us);
  }

  void keyboard(const KeyboardFlags& keyboard) {
    if (keyboard == KeyboardFlags()) return;
    std::string_view set = "\x1b[=";
    const auto put = [&](std::uint8_t flags) {
      out_.raw(set);
      out_.raw(std::to_string(flags) + "u");
      set = "\x1b[>";
    };
    for (const std::uint8_t flags : keyboard.pushed) put(flags);
    put(keyboard.current);
  }

  void mode(bool on, std::string_view number) {
    out_.raw("\x1b[");
    out_.raw(number);
    out_.raw(on ? "h" : "l");
  }

  void modes() {
    const Modes& modes = state_.modes;
    // A reset leaves these three alone, so they are always said.
    mode(state_.lasting.cursor_visible, "?25");
    mode(state_.lasting.blink_option, "?12");
    mode(state_.lasting.newline, "20");
    if (modes.application_cursor_keys) mode(true, "?1");
    if (modes.application_keypad) out_.raw("\x1b=");
    if (modes.bracketed_paste) mode(true, "?2004");
    if (modes.reverse_wraparound) mode(true, "?45");
    if (modes.send_focus) mode(true, "?1004");
    if (modes.synchronized_output) mode(true, "?2026");
    if (!modes.wraparound) mode(false, "?7");
    mouse();
    cursor_style();
    // This one moves the cursor home.
    if (modes.origin) mode(true, "?6");
  }

  void mouse() {
    static constexpr std::array<std::string_view, 5> kProtocols{"", "?9", "?1000", "?1002",
                                                                "?1003"};
    static constexpr std::array<std::string_view, 3> kEncodings{"", "?1006", "?1016"};
    const auto protocol = static_cast<std::size_t>(state_.mouse_protocol);
    const auto encoding = static_cast<std::size_t>(state_.mouse_encoding);
    if (protocol != 0) mode(true, kProtocols[protocol]);
    if (encoding != 0) mode(true, kEncodings[encoding]);
  }

  void cursor_style() {
    const Modes& modes = state_.modes;
    if (!modes.cursor_blink) return;
    // 7 and 8 change the blinking alone.
    constexpr int kNoShape = 4;
    const int shape =
        modes.cursor_shape == CursorShape::unset ? kNoShape : static_cast<int>(modes.cursor_shape);
    out_.csi(2 * shape - (*modes.cursor_blink ? 1 : 0), " q");
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
    // Only DECRC brings a set that is in none of the slots, and what it brought is what is saved.
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

  // The order of the last things depends on which of them is made by printing.
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
    if (state_.modes.insert) mode(true, "4");
  }

  void final_pen() { out_.pen(state_.pen, state_.tables.links[state_.pen.link]); }

  // The character before the cursor was printed with the pen, modes and character set of now, so
  // printing it last brings back that a combining character would join it.
  void joinable_cursor() {
    const Buffer& buffer = state_.active();
    final_pen();
    const int from = buffer.cursor.x - state_.preceding;
    go_to(from, buffer.cursor.y);
    if (state_.modes.insert) {
      mode(true, "4");
      out_.csi(state_.preceding, "P");
    }
    out_.cell_text(buffer.grid.row(buffer.cursor.y).at(from), state_.charsets.active);
  }

  // The cursor is beyond the last column. Screen::settle_pending_wrap sees to it that one of these
  // ways is open.
  void pending_wrap() {
    const Buffer& buffer = state_.active();
    const int cols = state_.size.cols;
    const int y = buffer.cursor.y;
    const Cell last = buffer.grid.row(y).at(cols - 1);
    if (!state_.alternate_active && !has_restored_charset()) {
      // The cursor keeps its place from one screen to the other, and the alternate one is dropped
      // on leaving.
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

std::string snapshot(const Screen& screen, const SnapshotOptions& options) {
  std::string out = Snapshot(screen.state(), options.history_rows).write();
  out += options.unfinished == Unfinished::carry ? screen.parser().unfinished()
                                                 : screen.parser().unfinished_settled();
  return out;
}

}  // namespace vt
