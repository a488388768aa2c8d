// A terminal's screen: bytes in, state out. Pure: no I/O, no clock, no threads. Not thread safe.
//
// It follows xterm.js 6, which renders it. docs/vt.md lists the sequences it supports and where it
// deviates. Memory is bounded by the size of the screen, whatever the input.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vt/notice.h"
#include "vt/parser.h"
#include "vt/reply.h"
#include "vt/shell_mark.h"
#include "vt/state.h"

namespace vt {

// Receives, in order, the parts of the stream that viewers must not get unchanged.
class StreamSink {
 public:
  // What an edit depends on: the stream and the screen's size, or also the cursor's position.
  enum class By : std::uint8_t { stream, cursor };

  virtual ~StreamSink() = default;
  // A query. An edit hides it from viewers, which would answer too.
  virtual void query(ByteSpan span, const Reply& reply) = 0;
  virtual void edit(Edit edit, By by) = 0;
  // A mark of a shell, and the position after it. Viewers get it like everything else. Returns
  // whether it counts, and if it is of a command, where that command's output begins (else 0).
  virtual std::optional<std::uint64_t> shell_mark(std::uint64_t /*end*/, const ShellMark& mark) {
    return mark.start;
  }
  virtual void bell() {}
  // What the program tells the person, and the position after it. The same goes for it.
  virtual void notice(std::uint64_t /*end*/, const Notice& /*notice*/) {}
};

// The colours that are reported to a program that has not changed them.
struct Theme {
  std::uint32_t foreground = 0xffffff;
  std::uint32_t background = 0x000000;
  std::uint32_t cursor = 0xffffff;
  std::array<std::uint32_t, 16> ansi{0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b,
                                     0x06989a, 0xd3d7cf, 0x555753, 0xef2929, 0x8ae234, 0xfce94f,
                                     0x729fcf, 0xad7fa8, 0x34e2e2, 0xeeeeec};
};

class Screen final : private ParserEvents {
 public:
  // Only in a checkpoint: OSC 8 with this and a number refers to an earlier link by its index. It
  // has no semicolon, so no terminal understands it.
  static constexpr char kLinkAgain = '@';

  explicit Screen(Size size, StreamSink* sink = nullptr);
  // Restores a screen from a checkpoint that was taken at stream position `position`, or from a
  // snapshot without history, with the history that it had then.
  Screen(Size size, std::span<const std::byte> checkpoint, std::uint64_t position, History history,
         StreamSink* sink = nullptr);
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // Sets the screen's history and drops the old one. The ring must outlive the screen.
  void attach_history(History history) { state_.history = std::move(history); }
  // See History::freeze.
  bool freeze_history(std::uint64_t below, int pages) {
    return state_.history.freeze(below, pages);
  }
  void set_theme(const Theme& theme) { theme_ = theme; }

  void feed(std::span<const std::byte> bytes) { feed(bytes, kUnlimited); }
  void feed(std::string_view bytes) { feed(std::as_bytes(std::span(bytes))); }
  // Feeds until that much work is done. Returns how many bytes that took, at least one. Work is
  // counted in steps of about a nanosecond and is the same for the same bytes: cells touched,
  // bytes, and something for each sequence. The last sequence may exceed the limit by at most the
  // cost of touching every cell of the screen.
  std::size_t feed(std::span<const std::byte> bytes, std::int64_t work);
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
  // All work done so far.
  [[nodiscard]] std::int64_t work() const { return work_; }
  // Sizes are clamped to 1 to kMaxSide. Reflows as xterm.js does. The history's old rows stay in
  // the ring beside the new ones, so an older checkpoint, the output and this resize still give
  // this screen. Write a checkpoint right after, because the next resize may need the room.
  void resize(Size size);

  // Whether a long-lived emulator such as xterm.js would show more after that resize than this
  // screen: it remembers what was cut off the alternate screen.
  [[nodiscard]] bool would_uncover(Size size) const {
    return alternate_was_cut_ && size.cols > state_.size.cols;
  }

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Parser& parser() const { return parser_; }
  [[nodiscard]] Size size() const { return state_.size; }
  // How many bytes were fed.
  [[nodiscard]] std::uint64_t position() const { return parser_.position(); }
  // How far the stream may be sent to viewers: a sequence that may get an edit is held back until
  // it is complete.
  [[nodiscard]] std::uint64_t settled() const { return parser_.settled(); }
  // Bytes of memory, without the history ring.
  [[nodiscard]] std::size_t memory() const {
    return sizeof(*this) + state_.memory() + parser_.memory();
  }

 private:
  friend struct CsiTable;

  void print_ascii(std::string_view text) override;
  void print(std::span<const char32_t> text) override;
  std::size_t print_text(std::string_view utf8) override;
  void execute(unsigned control) override;
  void sgr(const SgrBytes& bytes) override;
  void esc_dispatch(Identifier id) override;
  void csi_dispatch(Identifier id, const Params& params) override;
  [[nodiscard]] bool wants_osc(int command) const override;
  [[nodiscard]] bool wants_dcs(Identifier id) const override;
  void osc_dispatch(int command, std::string_view text) override;
  void dcs_dispatch(Identifier id, const Params& params, std::string_view text) override;
  void string_ignored() override { state_.preceding = 0; }
  void string_dropped() override;

  struct RecentJoin {
    std::uint32_t cell = 0;  // its bits
    char32_t mark = 0;
    std::uint32_t id = 0;  // of what they made
  };
  struct RecentPen {
    Style pen;
    StyleId id = 0;
    StyleId erase_id = 0;
    std::uint32_t last_miss = 0;
  };

  // What things cost, besides the cells they touch.
  static constexpr int kSequenceWork = 32;
  static constexpr int kByteWork = 4;
  static constexpr int kRowWork = 8;
  void charge(std::int64_t work) {
    work_ += work;
    wants_pause_ = work_ >= work_limit_;
  }

  // screen.cc
  [[nodiscard]] Buffer& buffer() { return *active_; }
  [[nodiscard]] Row& cursor_row() { return active_->grid.row(active_->cursor.y); }
  [[nodiscard]] Cell erased() {
    if (pen_changed_) use_pen();
    return Cell::empty(erase_id_);
  }
  // Finds the ids of the pen's styles.
  void use_pen() {
    const Style& pen = state_.pen;
    const std::uint64_t colors = static_cast<std::uint64_t>(pen.bg.bits()) << 32 | pen.fg.bits();
    const std::uint64_t mix = (colors ^ pen.flags) * 0x9e3779b97f4a7c15ULL;
    const RecentPen& recent = recent_pens_[mix >> 60];
    pen_changed_ = false;
    if (recent.pen != pen) return intern_pen(mix);
    pen_id_ = recent.id;
    erase_id_ = recent.erase_id;
  }
  void intern_pen(std::uint64_t mix);
  void collect_garbage();
  void reset_buffer(Buffer& buffer) const;
  void full_reset();
  void select_screen(bool alternate);
  void save_cursor();
  void restore_cursor();
  void restrict_cursor(int max_x);
  void restrict_cursor() { restrict_cursor(state_.size.cols - 1); }
  void set_cursor(std::int64_t x, std::int64_t y);
  void move_cursor(std::int64_t dx, std::int64_t dy);
  void scroll(bool wrapped);
  void line_feed();
  void index();
  void reverse_index();
  void backspace();
  void designate(char slot, char final);
  void shift_to(int level);
  void alignment_pattern();
  void settle_pending_wrap();
  void keep_bottom_plain(Buffer& b);

  // screen_print.cc
  void put_run(Row& row, std::string_view text);
  void open_gap(int columns);
  void put_or_insert_run(std::string_view text);
  void put_copies(Cell cell, int count);
  void repeat_last(std::span<const char32_t> character, int count);
  // Whether the row's encoding reaches the cursor. Not used on the alternate screen.
  [[nodiscard]] bool is_encoded_here(const Row& row) const {
    return row.is_encoded_to(active_->cursor.x) && !state_.alternate_active;
  }
  std::size_t print_plain(std::string_view utf8);
  void print_one(char32_t code, StyleId style);
  void join(char32_t code);
  bool make_room(int width, StyleId style);
  void wrap();
  // After everything written to the row, there are no halves of wide characters.
  [[nodiscard]] bool is_behind_all() {
    return active_->cursor.x >= static_cast<int>(cursor_row().written().size());
  }
  // Before printing onto the second half of a wide character: its first half becomes empty.
  void open_left(StyleId style) {
    if (!is_behind_all()) split_left(style);
  }
  // After printing over the first half of a wide character: its second half becomes empty.
  void close_right(StyleId style) {
    if (!is_behind_all()) split_right(style);
  }
  void split_left(StyleId style);
  void split_right(StyleId style);

  // screen_csi.cc
  void insert_chars(const Params& params);
  void delete_chars(const Params& params);
  void erase_chars(const Params& params);
  void cursor_up(const Params& params);
  void cursor_down(const Params& params);
  void cursor_forward(const Params& params);
  void cursor_backward(const Params& params);
  void cursor_next_line(const Params& params);
  void cursor_preceding_line(const Params& params);
  void cursor_column(const Params& params);
  void cursor_position(const Params& params);
  void cursor_row_absolute(const Params& params);
  void cursor_row_relative(const Params& params);
  void tab_forward(const Params& params);
  void tab_backward(const Params& params);
  void tab_clear(const Params& params);
  void erase_in_display(const Params& params);
  void erase_in_display_selective(const Params& params);
  void erase_in_line(const Params& params);
  void erase_in_line_selective(const Params& params);
  void reset_rows(int top, int count, Cell fill);
  void insert_lines(const Params& params);
  void delete_lines(const Params& params);
  void scroll_up(const Params& params);
  void scroll_down(const Params& params);
  void scroll_left(const Params& params);
  void scroll_right(const Params& params);
  void insert_columns(const Params& params);
  void add_columns(int x, int count);
  void remove_columns(int x, int count);
  template <class F>
  void change_columns(F change);
  void delete_columns(const Params& params);
  void repeat(const Params& params);
  void select_attributes(const Params& params);
  void select_protected(const Params& params);
  void set_margins(const Params& params);
  void save_cursor_csi(const Params& params);
  void restore_cursor_csi(const Params& params);
  void soft_reset(const Params& params);
  void cursor_style(const Params& params);
  void keyboard_set(const Params& params);
  void keyboard_push(const Params& params);
  void keyboard_pop(const Params& params);

  enum class Protect : bool { ignore, respect };
  void erase_display(int what, Protect protect);
  void erase_line(int what, Protect protect);
  void erase_cells(int y, int begin, int end, Protect protect);
  void erase_unprotected(Row& row, int begin, int end);
  void erase_row(int y, Protect protect);
  [[nodiscard]] bool in_margins() const {
    return active_->cursor.y >= active_->top && active_->cursor.y <= active_->bottom;
  }

  // screen_modes.cc
  void set_mode(const Params& params);
  void reset_mode(const Params& params);
  void set_private_mode(const Params& params);
  void reset_private_mode(const Params& params);
  void change_mode(int mode, bool on);
  void change_private_mode(int mode, bool on);
  void change_screen_mode(int mode, bool on);
  // As DECRQM reports it: 0 unknown, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
  [[nodiscard]] int mode_report(int mode) const;
  [[nodiscard]] int private_mode_report(int mode) const;

  // screen_osc.cc
  // What remains of a string that was only a query: like every string, it ends joining.
  static constexpr std::string_view kNoString = "\x1b\\";
  void change_color(int index, std::uint32_t color);
  void change_colors(std::string_view text);
  void change_special_colors(int first, std::string_view text);
  void restore_colors(std::string_view text);
  void set_link(std::string_view text);
  [[nodiscard]] LinkId link_id(const Link& link);
  void link_again(std::string_view text);
  void prompt_mark(std::string_view text);
  void tell(int command, std::string_view text);
  void report_color(int index);
  [[nodiscard]] std::uint32_t color_of(int index) const;

  // Viewers get this instead of the current sequence.
  void send_instead(std::string_view text, StreamSink::By by = StreamSink::By::stream);

  void limit_count(int count, int most, char final);

  // screen_query.cc
  Reply& reply();
  void flush_reply();
  void device_attributes(const Params& params);
  void secondary_attributes(const Params& params);
  void tertiary_attributes(const Params& params);
  void terminal_version(const Params& params);
  void device_status(const Params& params);
  void private_device_status(const Params& params);
  void request_mode(const Params& params);
  void request_private_mode(const Params& params);
  void window_operation(const Params& params);
  void keyboard_query(const Params& params);
  void report_position(Reply::Word introducer);
  void report_size(int kind);
  void request_status(std::string_view what);
  void request_capabilities(std::string_view names);
  void report_capability(std::string_view digits);

  // screen_resize.cc
  void resize_alternate(Size size);

  State state_;
  Parser parser_;
  Buffer* active_ = &state_.primary;
  StreamSink* sink_;
  Theme theme_;
  Reply reply_;             // to the current sequence
  std::string but_for_it_;  // what the sequence does besides asking, as sequences
  std::int64_t work_ = 0;
  std::int64_t work_limit_ = kUnlimited;
  std::int64_t collected_at_ = 0;                  // the work done at the last garbage collection
  std::vector<LinkId>* restored_links_ = nullptr;  // while a checkpoint is fed
  bool is_query_ = false;
  bool alternate_was_cut_ = false;
  bool pen_changed_ = false;
  StyleId pen_id_ = 0;
  StyleId erase_id_ = 0;
  // Programs use few pens, so their ids are cached by a hash of the pen.
  std::array<RecentPen, 16> recent_pens_;
  std::array<RecentJoin, 16> recent_joins_;
};

}  // namespace vt
