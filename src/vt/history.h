// The lines that scrolled off the screen, in a ring of bytes that the caller provides. The ring may
// be shared memory, so its content is untrusted: it is checked when opened and read, and never
// asserted on.
//
// 1. Everything is appended: rows, and marks that say which of the rows before them still count.
//    Nothing within a ring's length of the end is ever changed. So a checkpoint's position stays
//    valid until the ring wraps around to it, even if the writer dies at any instruction.
// 2. Rows stay as written, at the screen's width of that time. Reading folds them.
// 3. A resize reads only what it does not overwrite, so replaying it gives the same result.
// 4. Older pages may be frozen (frozen_pages.h). Then the oldest are dropped when their store is
//    full, but never those within window() of the end.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vt/byte_buffer.h"
#include "vt/fold.h"
#include "vt/frozen_pages.h"
#include "vt/row.h"
#include "vt/tables.h"

namespace vt {

// Absolute positions, which never restart: where the ring's valid bytes start, and the end of the
// newest.
struct HistoryPosition {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  friend bool operator==(const HistoryPosition&, const HistoryPosition&) = default;
};

class History {
 public:
  // Keeps nothing.
  History() = default;
  // Opens `ring` with what it held when it ended at `end`. If the content is damaged, keeps the
  // newest valid rows.
  explicit History(std::span<std::byte> ring, HistoryPosition position = {});
  // The same, with a store for frozen pages.
  History(std::span<std::byte> ring, std::span<std::byte> store, HistoryPosition position,
          FrozenPages::Release release, std::size_t page = FrozenPages::kPage);

  // From now on, stores position() in these two. They are correct at every instant: `begin` moves
  // before bytes are overwritten, `end` after they are written.
  void publish(std::atomic<std::uint64_t>& begin, std::atomic<std::uint64_t>& end);

  [[nodiscard]] HistoryPosition position() const { return {whole_, end_}; }
  // How many rows there are, as written. Visits each of them.
  [[nodiscard]] int rows() const;

  // True if it was cheap: the row carried its encoding, or there is no ring.
  bool push(const Row& row, int cols, const Tables& tables);
  void clear();

  // A place between two written columns: the end of the record before it and, if the place is
  // inside that record, how many of its columns are before it.
  struct Place {
    std::uint64_t at = 0;
    int cols = 0;  // the width of the rows around it
    int cut = 0;   // 0: all columns, and their line ends there
    friend bool operator==(const Place&, const Place&) = default;
  };
  // Where the history ends and the screen, with width `cols`, continues.
  [[nodiscard]] Place boundary(int cols) const;
  // From now on the history ends at `place`, and its rows at the screen's width have `cols`
  // columns.
  void end_at(Place place, int cols);
  // Brings back rows up to `place` (Tail::line_ahead). The ring stays as it is until end_at.
  void extend_to(Place place);

  // Freezes at most that many pages that were complete when the history ended at `below`, or drops
  // thawed ones. Returns whether there are more.
  bool freeze(std::uint64_t below, int most);

  // How many of the newest bytes are always available.
  [[nodiscard]] std::uint64_t window() const {
    return frozen_ ? std::min(frozen_->always_kept(), ring_.size()) : ring_.size();
  }
  // Rows that start there or later stay whole when `size` more bytes are written.
  [[nodiscard]] std::uint64_t whole_after(std::uint64_t size) const {
    return end_ + size - std::min<std::uint64_t>(end_ + size, window());
  }
  // The most that push, end_at and clear write.
  [[nodiscard]] static std::uint64_t size_of(const Row& row, int cols, const Tables& tables);
  static constexpr std::uint64_t kSizeOfPlace = 32;

  // Appends the newest rows that take at most `most` bytes, folded to `cols`, old to new, each
  // preceded by its length.
  void append_newest(std::size_t most, int cols, std::string& out) const;

  class Reader;
  class Tail;

 private:
  // A record is its length, its bytes, and its length again, so that the ring can be walked both
  // ways.
  static constexpr std::uint32_t kLengthSize = sizeof(std::uint32_t);
  static constexpr std::uint64_t kFrame = std::uint64_t{2} * kLengthSize;
  // A mark's bytes: of the rows before it, only those between these positions count. A mark that a
  // resize wrote also has the rest of a place.
  struct Mark {
    HistoryPosition counting;
    std::uint32_t cols = 0;
    std::uint32_t cut = 0;
  };
  static constexpr std::uint32_t kIsMark = 0x8000'0000;
  static constexpr std::uint32_t kMarkLength = sizeof(HistoryPosition);
  static constexpr std::uint32_t kPlaceLength = sizeof(Mark);
  static constexpr std::uint64_t kMarkSize = kMarkLength + kFrame;
  static_assert(kSizeOfPlace == kPlaceLength + kFrame);
  // Half of it has room for at least what a resize writes.
  static constexpr std::size_t kSmallestRing = 128;

  // From the end of a row that counts to the start of the next one that does.
  struct Gap {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    int cols = 0;  // the width of the rows before it; 0: that of the screen
    int cut = 0;   // as in a place
  };
  // A row's record, and what is known of the row without reading it.
  struct Record {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    int cols = 0;
    int cut = 0;
    bool ends = false;  // its line, whatever follows
  };
  // The position of a walk from record to record.
  struct Walk {
    std::uint64_t at = 0;
    std::size_t gap = 0;  // forward: the next one; backward: how many are before it
    int screen_cols = 0;  // the screen's width
    // Backward: the width of what follows, and as in a place.
    int cols_after = 0;
    int cols = 0;
    int cut = 0;
  };

  [[nodiscard]] std::size_t offset(std::uint64_t position) const { return position % ring_.size(); }
  void before_read(std::size_t offset, std::size_t size) const {
    if (frozen_) frozen_->before_read(offset, size);
  }
  void before_write(std::size_t offset, std::size_t size) {
    if (frozen_) frozen_->before_write(offset, size);
  }
  [[nodiscard]] std::uint32_t length_at(std::size_t offset) const;
  void copy_in(std::size_t offset, std::string_view bytes);
  void copy_out(std::size_t offset, void* to, std::size_t count) const;
  [[nodiscard]] static std::string_view encode(const Row& row, int cols, const Tables& tables);
  void claim(std::size_t size);
  void advance(std::size_t size);
  bool push_encoded(const Row& row, int cols);
  void append(std::string_view record);
  void append_mark(const Mark& mark, std::uint32_t length);
  void set_boundary(Place place);
  void learn(std::uint64_t down_to) const;
  void forget();
  void drop_oldest();
  void drop_gap();
  bool drop_page();
  void begin_whole_at(std::uint64_t position);
  [[nodiscard]] bool is_empty() const { return begin_ == end_; }
  [[nodiscard]] std::uint64_t floor() const;
  [[nodiscard]] std::uint64_t before(std::uint64_t position, std::uint64_t least) const;
  [[nodiscard]] bool read_mark(HistoryPosition& counting, Place& place) const;
  [[nodiscard]] int cols_before(std::size_t gap, int screen_cols) const;
  [[nodiscard]] Walk forward_from(std::uint64_t at, std::size_t gap, int screen_cols) const;
  [[nodiscard]] Walk backward_from(Place place, int screen_cols) const;
  [[nodiscard]] bool next(Walk& walk, std::uint64_t until, Record& record) const;
  [[nodiscard]] bool previous(Walk& walk, std::uint64_t least, Record& record) const;
  [[nodiscard]] bool continues(std::uint64_t start) const;
  void decode(const Record& record, Tables& tables, std::string& scratch, Row& row) const;

  std::span<std::byte> ring_;
  std::unique_ptr<FrozenPages> frozen_;  // if there is a store
  std::uint64_t whole_ = 0;              // bytes before this may be overwritten
  std::uint64_t end_ = 0;
  std::size_t end_offset_ = 0;  // in the ring, so that adding a row takes no division
  // What is known about the rows, learned from the ring when needed. (Starting a daemon must not
  // thaw frozen pages.)
  mutable std::uint64_t begin_ = 0;  // of the oldest row that counts
  mutable std::size_t begin_offset_ = 0;
  mutable std::vector<Gap> gaps_;      // ascending, between begin_ and end_, from first_gap_ on
  mutable std::size_t first_gap_ = 0;  // earlier ones are gone
  mutable HistoryPosition unlearned_;  // the part before all that
  mutable int unlearned_cols_ = 0;     // the width there, if a mark had it
  // Where the newest mark says the history ends, as long as nothing was written after that mark.
  mutable Place boundary_;
  mutable std::uint64_t boundary_mark_end_ = 0;
  std::atomic<std::uint64_t>* published_begin_ = nullptr;
  std::atomic<std::uint64_t>* published_end_ = nullptr;
};

// Reads rows from old to new, folded to the screen's width. Invalid after rows are added, removed
// or cleared.
class History::Reader {
 public:
  // The last `rows` rows.
  Reader(const History& history, int rows) : history_(history), wanted_(rows) { history_.learn(0); }
  // `cols` is the screen's width, the same each time.
  [[nodiscard]] bool next(int cols, Tables& tables, Row& row);

 private:
  friend class History::Tail;
  Reader(const History& history, const Walk& from, std::uint64_t until)
      : history_(history), walk_(from), until_(until), is_placed_(true) {}
  void place(int cols, Tables& tables);
  bool read(int cols, Tables& tables, Row& row);
  void fold(const Record& record, int cols, Tables& tables, Row& row);

  const History& history_;
  Walk walk_;
  std::uint64_t until_ = 0;
  int wanted_ = 0;
  bool is_placed_ = false;
  bool in_line_ = false;  // the next row belongs to the line being folded
  // The last row bypassed the fold, and the next may continue it.
  bool has_passed_ = false;
  LineFold fold_;
  std::size_t taken_ = 0;  // of the finished rows
  std::string scratch_;
};

// Reads lines from new to old.
class History::Tail {
 public:
  // Reads from `place` back to the row that starts at `least` or later. The screen's width is
  // `cols`.
  Tail(const History& history, const Place& place, std::uint64_t least, int cols)
      : history_(history), least_(least) {
    history.learn(least);
    walk_ = history.backward_from(place, cols);
  }

  // Whether the newest line continues on the screen, if the row there continues a line.
  [[nodiscard]] bool goes_on() const;
  // The line before the last one returned, or its newest part if it is very long. Empty if there is
  // none.
  [[nodiscard]] std::vector<Piece> older_line(Tables& tables);
  // The same, not yet read.
  struct Span {
    Walk from;
    std::uint64_t until = 0;
    int records = 0;
    bool is_as_written = true;  // its rows are its records
  };
  [[nodiscard]] bool older_span(Span& span, int most_cells);
  [[nodiscard]] Reader read(const Span& span) const { return {history_, span.from, span.until}; }
  static constexpr int kMostCells = 1 << 16;

  // The line that the history had after `place`, where it ends now, if it is still there. Moves
  // `place` past it.
  [[nodiscard]] std::vector<Piece> line_ahead(Place& place, Tables& tables) const;

 private:
  const History& history_;
  Walk walk_;
  std::uint64_t least_;
};

}  // namespace vt
