#include "vt/snapshot.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "vt/snapshot_cursor.h"
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

}  // namespace

// Writes in stages. A stage may leave rows to be written before the next one: those of the history,
// those of the primary screen up to the cursor's row, those below it, those of the alternate
// screen.
class SnapshotInSteps::Writer {
 public:
  Writer(const State& state, int history_rows)
      : state_(state),
        history_rows_(history_rows),
        out_(state.size),
        cursor_(state, out_),
        at_(cursor_.place()),
        flows_(primary_flows()),
        reader_(state.history, history_rows) {}

  void limit(std::size_t most) { out_.write_checkpoint(most); }
  [[nodiscard]] bool is_whole() const { return out_.is_whole(); }
  [[nodiscard]] std::string take() { return out_.take(); }

  // Writes about `most` bytes. True if they were the last.
  [[nodiscard]] bool step(std::size_t most) {
    static constexpr void (Writer::* kStages[])() = {
        &Writer::begin,       &Writer::begin_primary,   &Writer::go_to_cursor,
        &Writer::end_primary, &Writer::begin_alternate, &Writer::end,
    };
    Budget budget{.out = out_,
                  .end = most > SIZE_MAX - out_.size() ? SIZE_MAX : out_.size() + most};
    while (history(budget) && rows(budget)) {
      if (stage_ == std::size(kStages)) return true;
      (this->*kStages[stage_++])();
    }
    return false;
  }

 private:
  // What a step may write. Each row counts for a few bytes more than it has: it may have none.
  struct Budget {
    [[nodiscard]] bool take_row() {
      constexpr std::size_t kEachRow = 32;
      if (out.size() + rows * kEachRow >= end) return false;
      ++rows;
      return true;
    }
    const SnapshotWriter& out;
    std::size_t end;
    std::size_t rows = 0;
  };

  // The rows to write before the next stage. `after` follows the last of them, if anything does.
  struct Rows {
    const Grid* grid = nullptr;
    int next = 0;
    int end = 0;
    const Row* after = nullptr;
  };

  // True if all of it is written.
  [[nodiscard]] bool history(Budget& budget) {
    while (has_more_history_) {
      if (!budget.take_row()) return false;
      has_more_history_ = reader_.next(state_.size.cols, old_tables_, next_row_);
      out_.row(row_, has_more_history_ ? &next_row_ : &state_.primary.grid.row(0),
               has_more_history_ ? old_tables_ : state_.tables);
      std::swap(row_, next_row_);
      if (!has_more_history_) out_.use(state_.tables);
    }
    return true;
  }

  [[nodiscard]] bool rows(Budget& budget) {
    for (; due_.next < due_.end; ++due_.next) {
      if (!budget.take_row()) return false;
      const bool is_last = due_.next + 1 == due_.end;
      out_.row(due_.grid->row(due_.next), is_last ? due_.after : &due_.grid->row(due_.next + 1),
               state_.tables);
    }
    return true;
  }

  // --- stages

  void begin() {
    out_.raw(
        "\x1b"
        "c");
    out_.use(state_.tables);
    write_titles(state_.titles, out_);
    write_colors(state_.palette, out_);
    if (!state_.working_directory.empty()) out_.osc("7", state_.working_directory);
    if (!flows_) alternate_saved_cursor();
    has_more_history_ = reader_.next(state_.size.cols, old_tables_, row_);
    has_history_ = has_more_history_;
    if (!has_history_) return;
    if (row_.wrapped) out_.wrap_top_row();
    out_.use(old_tables_);
  }

  void begin_primary() {
    const Grid& grid = state_.primary.grid;
    if (flows_) {
      go_to_first_row();
      due_ = {.grid = &grid, .end = at_.y, .after = &grid.row(at_.y)};
    } else if (has_history_) {
      due_ = {.grid = &grid, .end = grid.rows()};
    } else {
      screen_rows(grid);
    }
  }

  // With flowing text, the cursor and the saved cursor end up on the same text, even in a terminal
  // of another size. Writing what comes after the cursor is a detour: the cursor returns to its
  // place.
  void go_to_cursor() {
    if (!flows_) return;
    const Grid& grid = state_.primary.grid;
    const Row& row = grid.row(at_.y);
    const int made = made_down_to();
    out_.row_start(row, at_.x);
    if (at_.x == 0 && row.wrapped) wrap_to_start(row);
    if (made > at_.y) make_room(made - at_.y);
    if (!has_detour()) return;
    out_.pen(0);
    out_.raw(kHold);
    if (!has_more_after_cursor()) return;
    const int last = last_row();
    out_.row_rest(row, at_.x, at_.y < last ? &grid.row(at_.y + 1) : nullptr, state_.tables);
    due_ = {.grid = &grid, .next = at_.y + 1, .end = last + 1};
  }

  void end_primary() {
    const Buffer& primary = state_.primary;
    if (!flows_) {
      buffer_details(primary);
      if (state_.alternate_active) out_.csi(primary.cursor.y + 1, "H");
      return;
    }
    if (has_detour()) end_detour();
    if (!has_more_after_cursor()) out_.marks(primary.grid.row(at_.y));
    write_keyboard(primary.keyboard, out_);
  }

  void begin_alternate() {
    if (!state_.alternate_active) return;
    out_.pen(0);
    out_.raw("\x1b[?47h\x1b[H");
    out_.at_column(0);
    screen_rows(state_.alternate.grid);
  }

  void end() {
    if (state_.alternate_active) buffer_details(state_.alternate);
    write_modes(state_, out_);
    if (flows_ && !state_.alternate_active)
      cursor_.charsets_and_pen_in_place();
    else
      cursor_.cursor_charsets_and_pen();
  }

  // --- parts of them

  // Whether printing alone can bring the cursor to its place in a terminal of any size. Margins and
  // origin mode are for programs that position everything themselves. The rest are corner cases
  // that only exact positions get right.
  [[nodiscard]] bool primary_flows() const {
    const Buffer& primary = state_.primary;
    const int cols = state_.size.cols;
    const Cursor at = at_;
    const Row& row = primary.grid.row(at.y);
    const bool margins = primary.top != 0 || primary.bottom != state_.size.rows - 1;
    if (margins || cols < 2 || SnapshotWriter::has_odd(row, state_.tables)) return false;
    if (at.x >= cols || row.at(at.x).is_spacer()) return false;
    if (at.x == 0 && row.wrapped && row.at(0).width() == Width::zero) return false;
    if (state_.alternate_active) return true;
    if (primary.cursor.x >= cols && !row.at(at.x).has_content()) return false;
    return !state_.modes.origin && !cursor_.has_restored_charset() &&
           state_.alternate.saved == SavedCursor();
  }

  // The last one that is not empty; the cursor's at least.
  [[nodiscard]] int last_row() const {
    const Grid& grid = state_.primary.grid;
    int y = grid.rows() - 1;
    while (y > at_.y && is_default(grid.row(y))) --y;
    return y;
  }

  // Except the character that is printed last.
  [[nodiscard]] bool has_more_after_cursor() const {
    if (last_row() > at_.y) return true;
    const Row& row = state_.primary.grid.row(at_.y);
    const int from = state_.alternate_active ? at_.x : std::max(at_.x, state_.primary.cursor.x);
    for (int x = from; x < state_.size.cols; ++x)
      if (row.at(x) != Cell()) return true;
    return false;
  }

  // Whether the cursor has to leave its place again.
  [[nodiscard]] bool has_detour() const {
    const Buffer& primary = state_.primary;
    return has_more_after_cursor() || primary.saved != SavedCursor() ||
           !has_usual_tabs(primary.tabs);
  }

  void end_detour() {
    const Buffer& primary = state_.primary;
    tab_stops(primary.tabs);
    if (primary.saved != SavedCursor()) {
      out_.pen(0);
      out_.raw(kReturn);
      cursor_.saved_cursor_from(at_);
    }
    out_.pen(0);
    out_.raw(kRelease);
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

  // The last row to create before the cursor is left in its place. With a history, that is the
  // bottom row, because later rows would scroll the history off. If many rows are blank,
  // `go_to_first_row` creates them first: in a lower terminal the cursor's row would scroll off
  // too.
  [[nodiscard]] int made_down_to() const {
    constexpr int kFewRows = 5;
    const int bottom = state_.size.rows - 1;
    const bool all = state_.primary.grid.row(0).wrapped || bottom - at_.y < kFewRows;
    return history_rows_ > 0 && all ? bottom : last_row();
  }

  // Writing the history has scrolled it off the screen, as it once did. Goes to the start of the
  // first row; rows that `made_down_to` leaves out are blank below it.
  void go_to_first_row() {
    const Grid& grid = state_.primary.grid;
    const int bottom = grid.rows() - 1;
    if (!has_history_) {
      if (grid.row(0).wrapped) out_.wrap_top_row();
    } else if (made_down_to() < bottom) {
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

  void alternate_saved_cursor() {
    if (state_.alternate_active || state_.alternate.saved == SavedCursor()) return;
    out_.raw("\x1b[?47h");
    cursor_.saved_cursor(state_.alternate);
    out_.raw("\x1b[?47l\x1b[H");
  }

  void screen_rows(const Grid& grid) {
    if (grid.row(0).wrapped) out_.wrap_top_row();
    int count = grid.rows();
    while (count > 0 && is_default(grid.row(count - 1))) --count;
    due_ = {.grid = &grid, .end = count};
  }

  // Everything of a screen except its rows and cursor.
  void buffer_details(const Buffer& buffer) {
    tab_stops(buffer.tabs);
    cursor_.saved_cursor(buffer);
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

  const State& state_;
  int history_rows_;
  SnapshotWriter out_;
  SnapshotCursor cursor_;
  Cursor at_;   // Where printing leaves the primary screen's cursor.
  bool flows_;  // Printing alone can bring it there.
  std::size_t stage_ = 0;
  Rows due_;
  // The history is read one row ahead, in styles of its own.
  History::Reader reader_;
  Tables old_tables_;
  Row row_;
  Row next_row_;
  bool has_history_ = false;
  bool has_more_history_ = false;
};

SnapshotInSteps::SnapshotInSteps(const Screen& screen, const SnapshotOptions& options)
    : screen_(&screen),
      unfinished_(options.unfinished),
      writer_(std::make_unique<Writer>(screen.state(), options.history_rows)) {}

SnapshotInSteps::SnapshotInSteps(SnapshotInSteps&&) noexcept = default;
SnapshotInSteps& SnapshotInSteps::operator=(SnapshotInSteps&&) noexcept = default;
SnapshotInSteps::~SnapshotInSteps() = default;

SnapshotInSteps SnapshotInSteps::checkpoint(const Screen& screen, std::size_t most) {
  SnapshotInSteps steps(screen, {.history_rows = 0, .unfinished = Unfinished::resend});
  steps.writer_->limit(most);
  return steps;
}

bool SnapshotInSteps::step(std::size_t most) {
  return writer_->step(most);
}

Checkpoint SnapshotInSteps::take() {
  Checkpoint made{.bytes = writer_->take(), .is_whole = writer_->is_whole()};
  made.bytes += unfinished_ == Unfinished::carry ? screen_->parser().unfinished()
                                                 : screen_->parser().unfinished_settled();
  return made;
}

namespace {

Checkpoint in_one_step(SnapshotInSteps steps) {
  while (!steps.step(SIZE_MAX)) {
  }
  return steps.take();
}

}  // namespace

Checkpoint checkpoint(const Screen& screen, std::size_t most) {
  return in_one_step(SnapshotInSteps::checkpoint(screen, most));
}

std::string snapshot(const Screen& screen, const SnapshotOptions& options) {
  return in_one_step(SnapshotInSteps(screen, options)).bytes;
}

}  // namespace vt
