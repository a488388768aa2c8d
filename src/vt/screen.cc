#include "vt/screen.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace vt {
namespace {

Size clamp_size(Size size) {
  return {.cols = std::clamp(size.cols, 1, kMaxSide), .rows = std::clamp(size.rows, 1, kMaxSide)};
}

enum Control : unsigned {
  kBell = 0x07,
  kBackspace = 0x08,
  kTab = 0x09,
  kLineFeed = 0x0a,
  kVerticalTab = 0x0b,
  kFormFeed = 0x0c,
  kCarriageReturn = 0x0d,
  kShiftOut = 0x0e,
  kShiftIn = 0x0f,
  kIndex = 0x84,
  kNextLine = 0x85,
  kTabSet = 0x88,
};

std::vector<Row> blank_rows(int count, Cell fill) {
  std::vector<Row> rows(static_cast<std::size_t>(count));
  for (Row& row : rows) row.clear(fill);
  return rows;
}

}  // namespace

Screen::Screen(Size size, StreamSink* sink) : sink_(sink) {
  state_.size = clamp_size(size);
  reset_buffer(state_.primary);
  reset_buffer(state_.alternate);
  state_.primary.grid.put(blank_rows(state_.size.rows, Cell()));
}

Screen::Screen(Size size, std::span<const std::byte> checkpoint, std::uint64_t position,
               History history, StreamSink* sink)
    : Screen(size, nullptr) {
  std::vector<LinkId> links;
  restored_links_ = &links;
  feed(checkpoint);
  restored_links_ = nullptr;
  parser_.set_position(position);
  attach_history(std::move(history));
  sink_ = sink;
}

// In pieces: the cost of bytes that is not charged separately counts when they are taken.
std::size_t Screen::feed(std::span<const std::byte> bytes, std::int64_t work) {
  constexpr std::size_t kPiece = 4096;
  if (work != kUnlimited) work_limit_ = work_ + work;
  std::size_t taken = 0;
  do {
    const std::size_t piece =
        std::min(work == kUnlimited ? bytes.size() : kPiece, bytes.size() - taken);
    const std::size_t more = parser_.feed(bytes.subspan(taken, piece), *this);
    charge(kByteWork * static_cast<std::int64_t>(more));
    taken += more;
  } while (taken < bytes.size() && !wants_pause_);
  work_limit_ = kUnlimited;
  wants_pause_ = false;
  return taken;
}

void Screen::reset_buffer(Buffer& buffer) const {
  buffer.cursor = {};
  buffer.top = 0;
  buffer.bottom = state_.size.rows - 1;
  buffer.tabs.reset(state_.size.cols);
  buffer.keyboard = {};
}

void Screen::full_reset() {
  charge(2 * state_.size.rows * kRowWork + state_.size.cols);
  select_screen(false);
  for (Buffer* buffer : {&state_.primary, &state_.alternate}) {
    reset_buffer(*buffer);
    buffer->saved = {};
  }
  for (int y = 0; y < state_.size.rows; ++y) state_.primary.grid.row(y).reset(Cell());
  state_.history.clear();
  state_.pen = {};
  pen_changed_ = true;
  state_.charsets = {};
  state_.modes = {};
  state_.mouse_protocol = MouseProtocol::none;
  state_.mouse_encoding = MouseEncoding::basic;
}

void Screen::select_screen(bool alternate) {
  if (state_.alternate_active == alternate) return;
  charge(4 * state_.size.rows * kRowWork);
  Buffer& from = *active_;
  state_.alternate_active = alternate;
  alternate_was_cut_ = false;
  active_ = &state_.active();
  active_->cursor = from.cursor;
  if (alternate) {
    active_->grid.put(blank_rows(state_.size.rows, erased()));
    // Reflow uses the row that was left; nothing uses the column.
    from.cursor.x = 0;
  } else {
    reset_buffer(from);
    from.grid.put({});
  }
  state_.charsets.active = state_.charsets.g[state_.charsets.level];
  restrict_cursor(state_.size.cols + 1);
}

void Screen::save_cursor() {
  SavedCursor& saved = buffer().saved;
  saved.cursor = {.x = std::min(buffer().cursor.x, state_.size.cols - 1), .y = buffer().cursor.y};
  saved.pen = state_.pen;
  saved.pen.link = 0;
  saved.pen.underline_color = Color();
  if (saved.pen.underline != Underline::none) saved.pen.underline = Underline::single;
  saved.charset = state_.charsets.active;
}

void Screen::restore_cursor() {
  const SavedCursor& saved = buffer().saved;
  buffer().cursor = saved.cursor;
  const Style before = state_.pen;
  state_.pen = saved.pen;
  state_.pen.link = before.link;
  state_.pen.underline_color = before.underline_color;
  if (saved.pen.underline != Underline::none && before.underline != Underline::none)
    state_.pen.underline = before.underline;
  pen_changed_ = true;
  state_.charsets.active = saved.charset;
  restrict_cursor();
}

void Screen::restrict_cursor(int max_x) {
  Buffer& b = buffer();
  b.cursor.x = std::clamp(b.cursor.x, 0, max_x);
  b.cursor.y = state_.modes.origin ? std::clamp(b.cursor.y, b.top, b.bottom)
                                   : std::clamp(b.cursor.y, 0, state_.size.rows - 1);
}

void Screen::set_cursor(std::int64_t x, std::int64_t y) {
  constexpr std::int64_t kFar = std::int64_t{2} * kMaxSide;
  if (state_.modes.origin) y += buffer().top;
  buffer().cursor = {.x = static_cast<int>(std::clamp(x, -kFar, kFar)),
                     .y = static_cast<int>(std::clamp(y, -kFar, kFar))};
  restrict_cursor();
}

// In origin mode xterm.js counts the current row from the screen's top and the new one from the
// margin, so every relative movement there also goes down by the margin.
void Screen::move_cursor(std::int64_t dx, std::int64_t dy) {
  restrict_cursor();
  set_cursor(buffer().cursor.x + dx, buffer().cursor.y + dy);
}

void Screen::scroll(bool wrapped) {
  Buffer& b = buffer();
  if (b.top == 0 && !state_.alternate_active) {
    const Row& row = b.grid.row(0);
    if (!state_.history.push(row, state_.size.cols, state_.tables))
      charge(4 * static_cast<std::int64_t>(row.written().size()));
    b.saved.cursor.y = std::max(b.saved.cursor.y - 1, 0);
  }
  b.grid.rotate_up(b.top, b.bottom);
  Row& fresh = b.grid.row(b.bottom);
  fresh.reset(erased());
  fresh.wrapped = wrapped;
}

void Screen::line_feed() {
  Buffer& b = buffer();
  if (state_.lasting.newline) b.cursor.x = 0;
  if (b.cursor.y == b.bottom) {
    scroll(false);
  } else if (b.cursor.y < state_.size.rows - 1) {
    ++b.cursor.y;
    cursor_row().wrapped = false;
  }
  if (b.cursor.x >= state_.size.cols) --b.cursor.x;
}

void Screen::index() {
  restrict_cursor();
  if (buffer().cursor.y == buffer().bottom) {
    scroll(false);
  } else if (buffer().cursor.y < state_.size.rows - 1) {
    ++buffer().cursor.y;
  }
  restrict_cursor();
}

void Screen::reverse_index() {
  restrict_cursor();
  Buffer& b = buffer();
  if (b.cursor.y == b.top) {
    b.grid.rotate_down(b.top, b.bottom, 1);
    b.grid.row(b.top).reset(erased());
    keep_bottom_plain(b);
  } else {
    --b.cursor.y;
    restrict_cursor();
  }
}

void Screen::backspace() {
  Buffer& b = buffer();
  if (!state_.modes.reverse_wraparound) {
    restrict_cursor();
    b.cursor.x = std::max(b.cursor.x - 1, 0);
    return;
  }
  restrict_cursor(state_.size.cols);
  if (b.cursor.x > 0) {
    --b.cursor.x;
  } else if (b.cursor.y > b.top && b.cursor.y <= b.bottom && cursor_row().wrapped) {
    cursor_row().wrapped = false;
    --b.cursor.y;
    b.cursor.x = state_.size.cols - 1;
    const Cell last = cursor_row().at(b.cursor.x);
    // The column that a wide character left empty when it wrapped.
    if (last.width() != Width::zero && !last.has_content()) --b.cursor.x;
  }
  restrict_cursor();
}

void Screen::execute(unsigned control) {
  state_.preceding = 0;
  Buffer& b = buffer();
  switch (control) {
    case kBell:
      if (sink_ != nullptr) sink_->bell();
      return;
    case kBackspace:
      return backspace();
    case kTab:
      if (b.cursor.x < state_.size.cols) b.cursor.x = b.tabs.next(b.cursor.x);
      return;
    case kLineFeed:
    case kVerticalTab:
    case kFormFeed:
      return line_feed();
    case kCarriageReturn:
      b.cursor.x = 0;
      return;
    case kShiftOut:
      return shift_to(1);
    case kShiftIn:
      return shift_to(0);
    case kIndex:
      return index();
    case kNextLine:
      b.cursor.x = 0;
      return index();
    case kTabSet:
      return b.tabs.set(b.cursor.x);
    default:
      return;
  }
}

void Screen::shift_to(int level) {
  state_.charsets.level = static_cast<std::uint8_t>(level);
  state_.charsets.active = state_.charsets.g[state_.charsets.level];
}

// ESC ( B and similar. The 96-character slots - and . designate G1 and G2 as well; / is ignored.
void Screen::designate(char slot, char final) {
  static constexpr std::string_view kSlots = "()*+-.";
  static constexpr std::array<std::uint8_t, 6> kLevels{0, 1, 2, 3, 1, 2};
  const std::size_t at = kSlots.find(slot);
  const std::optional<Charset> charset = charset_of(final);
  if (at == std::string_view::npos || !charset) return;
  state_.charsets.g[kLevels[at]] = *charset;
  if (state_.charsets.level == kLevels[at]) state_.charsets.active = *charset;
}

void Screen::send_instead(std::string_view text, StreamSink::By by) {
  if (sink_ != nullptr) sink_->edit(parser_.instead(text), by);
}

// Viewers might keep a string that this screen dropped, so they must not get it.
void Screen::string_dropped() {
  state_.preceding = 0;
  send_instead("");
}

void Screen::esc_dispatch(Identifier id) {
  state_.preceding = 0;
  charge(kSequenceWork);
  Buffer& b = buffer();
  switch (id) {
    case identifier("7"):
      return save_cursor();
    case identifier("8"):
      return restore_cursor();
    case identifier("D"):
      return index();
    case identifier("E"):
      b.cursor.x = 0;
      return index();
    case identifier("H"):
      return b.tabs.set(b.cursor.x);
    case identifier("M"):
      return reverse_index();
    case identifier("="):
      state_.modes.application_keypad = true;
      return;
    case identifier(">"):
      state_.modes.application_keypad = false;
      return;
    case identifier("c"):
      return full_reset();
    case identifier("n"):
    case identifier("}"):
      return shift_to(2);
    case identifier("o"):
    case identifier("|"):
      return shift_to(3);
    case identifier("~"):
      return shift_to(1);
    case identifier("%@"):
    case identifier("%G"):
      shift_to(0);
      return designate('(', 'B');
    case identifier("#8"):
      return alignment_pattern();
    default:
      if (id > 0xff && id <= 0xffff)
        designate(static_cast<char>(id >> 8), static_cast<char>(id & 0xff));
  }
}

void Screen::alignment_pattern() {
  Style style = state_.pen;
  style.link = 0;
  style.underline_color = Color();
  if (style.underline != Underline::none) style.underline = Underline::single;
  const Cell letter = Cell::character('E', Width::one, state_.tables.styles.intern(style));
  set_cursor(0, 0);
  charge(state_.size.rows * kRowWork);
  for (int y = buffer().cursor.y; y < state_.size.rows; ++y) {
    buffer().grid.row(y).clear(letter);
    buffer().grid.row(y).wrapped = false;
  }
  set_cursor(0, 0);
}

// A snapshot reproduces a pending wrap by printing the last column's character again. That is
// impossible if the cell is empty or its character is not in the active set. The primary screen
// then has another way. On the alternate screen, and with a set that only DECRC selected, only a
// row that is all empty in one style has one. If there is no way, the cursor goes back onto the
// last column.
void Screen::settle_pending_wrap() {
  Buffer& b = buffer();
  const Charsets& sets = state_.charsets;
  const bool restored_set = sets.active != sets.g[sets.level];
  if (b.cursor.x < state_.size.cols || !(state_.alternate_active || restored_set)) return;
  const Row& row = cursor_row();
  const Cell last = row.at(state_.size.cols - 1);
  bool fine = true;
  if (last.has_content()) {
    const std::string text = state_.tables.text(last);
    const auto first = static_cast<unsigned char>(text.front());
    fine = !restored_set || first >= 0x80 || untranslate(sets.active, first).has_value();
  } else if (!last.is_spacer()) {
    fine = state_.tables.styles[last.style] == state_.tables.styles[last.style].erased();
    for (int x = 0; x < state_.size.cols; ++x) fine = fine && row.at(x) == last;
  }
  if (!fine) b.cursor.x = state_.size.cols - 1;
}

// A row of only odd cells (see Tables) is reproduced by wrapping from it to the next row. The
// bottom row has no next one, so its last cell keeps only its background.
void Screen::keep_bottom_plain(Buffer& b) {
  make_plain(b.grid.row(b.grid.rows() - 1), state_.size.cols, state_.tables);
}

}  // namespace vt
