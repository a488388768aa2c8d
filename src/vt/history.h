// The lines that scrolled off the screen, in a ring of bytes that the caller provides and may map
// from shared memory: so its content is untrusted, is checked when it is opened and read, and never
// asserted on.
//
// Everything is appended, and nothing within a ring's length behind the end is ever changed: rows,
// and marks that say which of the rows before them still count. So a checkpoint's position stays
// good until the ring comes round, whatever happened since, and whatever instant the writer died
// at. All rows that count have the screen's current width: a change of width writes them anew, in
// half the ring at most, so that the old ones stay (Screen::resize).

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vt/byte_buffer.h"
#include "vt/row.h"
#include "vt/tables.h"

namespace vt {

// Absolute positions, which never restart: from where on the ring's bytes are whole, and past the
// newest.
struct HistoryPosition {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  friend bool operator==(const HistoryPosition&, const HistoryPosition&) = default;
};

class History {
 public:
  static constexpr int kNoRowLimit = -1;

  // Keeps nothing.
  History() = default;
  // Opens `ring` with what it held when `end` was its end. Of damaged content the newest rows that
  // are sound are kept.
  explicit History(std::span<std::byte> ring, HistoryPosition position = {},
                   int max_rows = kNoRowLimit);

  // Keeps position() in these two from now on, in such an order with the ring's bytes that they are
  // true at every instant: `begin` moves before bytes are overwritten, `end` after they are
  // written.
  void publish(std::atomic<std::uint64_t>& begin, std::atomic<std::uint64_t>& end);

  [[nodiscard]] HistoryPosition position() const { return {whole_, end_}; }
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int max_rows() const { return max_rows_; }
  // Whether adding a row drops one because of the bound on rows.
  [[nodiscard]] bool is_full() const { return rows_ == max_rows_; }

  void push(const Row& row, int cols, const Tables& tables);
  void clear();

  // For a resize that takes the newest rows back: how many it may look at, and then how many are to
  // go.
  [[nodiscard]] int removable(int most) const;
  void remove_newest(int count);
  // For one that writes all rows anew: how many it may look at, and then what they became, of which
  // the newest that fit are kept.
  [[nodiscard]] int rewritable() const;
  void rewrite(std::span<const Row> rows, int cols, const Tables& tables);

  // Appends the newest rows that take at most `most` bytes, old to new, each with its length before
  // it.
  void append_newest(std::size_t most, std::string& out) const;

  // Reads rows from old to new. Adding, removing or clearing ends its validity.
  class Reader {
   public:
    // The last `rows` rows.
    Reader(const History& history, int rows);
    [[nodiscard]] bool next(int cols, Tables& tables, Row& row);

   private:
    const History& history_;
    std::uint64_t at_;
    int left_;
    std::string scratch_;
  };

 private:
  // From the end of a row that counts to the start of the next one that does.
  struct Gap {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };

  // Half of the ring: a change of width reads one half and writes the other.
  [[nodiscard]] std::size_t capacity() const { return ring_.size() / 2; }
  [[nodiscard]] std::size_t offset(std::uint64_t position) const { return position % ring_.size(); }
  [[nodiscard]] std::uint32_t length_at(std::size_t offset) const;
  void copy_in(std::size_t offset, std::string_view bytes);
  void copy_out(std::size_t offset, void* to, std::size_t count) const;
  void encode(const Row& row, int cols, const Tables& tables);
  void claim(std::size_t size);
  void advance(std::size_t size);
  bool push_encoded(const Row& row);
  void append(std::string_view record);
  void append_mark(HistoryPosition counting);
  void forget();
  void drop_oldest();
  [[nodiscard]] std::uint64_t before_gap(std::uint64_t position) const;
  [[nodiscard]] std::uint64_t after_gap(std::uint64_t position) const;
  [[nodiscard]] std::uint64_t before(std::uint64_t position, std::uint64_t least) const;
  [[nodiscard]] HistoryPosition over_marks(HistoryPosition counting) const;
  [[nodiscard]] std::uint64_t previous(std::uint64_t position) const;
  [[nodiscard]] int rows_from(std::uint64_t position, int most) const;

  std::span<std::byte> ring_;
  std::uint64_t whole_ = 0;  // what lies below may be overwritten
  std::uint64_t begin_ = 0;  // of the oldest row that counts
  std::uint64_t end_ = 0;
  // Where the latter two are in the ring, so that adding a row takes no division.
  std::size_t begin_offset_ = 0;
  std::size_t end_offset_ = 0;
  std::vector<Gap> gaps_;  // ascending, between begin_ and end_
  int rows_ = 0;
  int max_rows_ = 0;
  std::atomic<std::uint64_t>* published_begin_ = nullptr;
  std::atomic<std::uint64_t>* published_end_ = nullptr;
  ByteBuffer record_;
};

}  // namespace vt
