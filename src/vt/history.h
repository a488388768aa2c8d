// The lines that scrolled off the screen, in a ring of bytes that the caller provides and may map
// from shared memory: so its content is untrusted, is checked when it is opened and read, and never
// asserted on.
//
// Rows have absolute positions that only grow as rows are added; `begin` and `end` are what the
// caller has to keep beside the bytes to open the ring again. Adding a row drops the oldest ones
// that are in its way. All rows have the screen's current width: a change of width rewrites them
// (Screen::resize).
//
// A *recoverable* history can be opened at an older end, too: it never writes over the rows it had
// there, but for those that adding rows has dropped since. So it keeps at most half of the ring,
// and rows that are taken back or rewritten go to positions after everything that was written
// before. One rewrite later the older end is void.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "vt/byte_buffer.h"
#include "vt/row.h"
#include "vt/tables.h"

namespace vt {

// Absolute positions of the oldest row and past the newest.
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
  // Opens `ring` with what it held at `position`. Of damaged content the newest rows that are sound
  // are kept.
  explicit History(std::span<std::byte> ring, HistoryPosition position = {},
                   int max_rows = kNoRowLimit);

  // Opens `ring` as a recoverable history that ends at `end`.
  [[nodiscard]] static History recoverable(std::span<std::byte> ring, std::uint64_t end);

  [[nodiscard]] HistoryPosition position() const { return position_; }
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int max_rows() const { return max_rows_; }
  // Whether adding a row drops one because of the bound on rows.
  [[nodiscard]] bool is_full() const { return rows_ == max_rows_; }

  void push(const Row& row, int cols, const Tables& tables);
  // The same for many rows at once. A recoverable history writes only those that it will keep: a
  // reflow can make more rows than fit, and each would cost one of the past.
  void push_all(std::span<const Row> rows, int cols, const Tables& tables);
  // Moves the newest row out; a damaged one comes out blank. There must be one.
  void pop(int cols, Tables& tables, Row& row);
  void clear();
  // After rows were taken out: `past` is the end from before. A recoverable history moves what is
  // left behind it.
  void move_past(std::uint64_t past);

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
  [[nodiscard]] std::size_t offset(std::uint64_t position) const { return position % ring_.size(); }
  [[nodiscard]] std::uint32_t length_at(std::size_t offset) const;
  void copy_in(std::size_t offset, std::string_view bytes);
  void copy_out(std::size_t offset, void* to, std::size_t count) const;
  void read(std::uint64_t position, std::uint32_t length, std::string& out) const;
  void drop_oldest();
  void encode(const Row& row, int cols, const Tables& tables);
  void begin_after_barrier(std::uint64_t position);
  [[nodiscard]] std::uint64_t before(std::uint64_t position) const;

  std::span<std::byte> ring_;
  HistoryPosition position_;
  // Where the two positions are in the ring, so that adding a row takes no division.
  std::size_t begin_offset_ = 0;
  std::size_t end_offset_ = 0;
  int rows_ = 0;
  int max_rows_ = 0;
  std::size_t max_bytes_ = 0;
  bool recoverable_ = false;
  ByteBuffer record_;
  std::string scratch_;
};

}  // namespace vt
