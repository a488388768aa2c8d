// A ring of bytes whose older pages are kept compressed, in a store beside it. Both are the
// caller's and may be shared memory, so neither is trusted: a page that cannot be thawed is zeroes.
//
// 1. A frozen page's bytes in the ring count for nothing: their memory is given back.
// 2. A page that is read is thawed in place, and stays in the store too. Only a few are thawed at a
//    time.
// 3. A page that is written is not frozen any more.
// 4. Killed between any two steps, every page can be read, from the ring or from the store: it is
//    entered in the store's table when all of it is there, and taken out before it changes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace vt {

// How a history that takes `memory` bytes at rest is laid out. A small one has no store, and takes
// what its ring takes.
struct HistoryShape {
  std::uint64_t ring = 0;
  std::uint64_t store = 0;
};
[[nodiscard]] HistoryShape history_shape(std::uint64_t memory);

class FrozenPages {
 public:
  static constexpr std::size_t kPage = 16 * 1024;

  // Gives the memory of a page of the ring back. What is read there afterwards does not matter.
  using Release = std::function<void(std::span<std::byte>)>;

  // The ring has whole pages and ends at the absolute position `end`; the store is aligned to eight
  // bytes.
  FrozenPages(std::span<std::byte> ring, std::span<std::byte> store, std::uint64_t end,
              Release release, std::size_t page = kPage);

  [[nodiscard]] std::size_t page() const { return page_; }
  // So many of the newest bytes are never frozen. With the store they are what is taken at rest.
  [[nodiscard]] std::size_t kept_warm() const { return store_.size() / 3; }
  // So many of the newest bytes are there whatever they are: warm, or in the store.
  [[nodiscard]] std::size_t always_kept() const;
  [[nodiscard]] bool is_frozen(std::size_t page) const { return pages_[page] != Page::in_ring; }
  // Whether its bytes in the ring count.
  [[nodiscard]] bool is_in_ring(std::size_t page) const { return pages_[page] != Page::frozen; }

  // Before `size` bytes from `offset` on are read.
  void before_read(std::size_t offset, std::size_t size) const {
    if (frozen_ > 0) thaw_range(offset, size);
  }
  // Before they are written.
  void before_write(std::size_t offset, std::size_t size) {
    if (in_store_ > 0) unfreeze_range(offset, size);
  }

  // Freezes a page, which is older than those that are kept warm; pages are frozen in the ring's
  // order. False if the store has no room for it before `forget` has been called for an older one.
  [[nodiscard]] bool freeze(std::size_t page);
  // A frozen page is not needed any more.
  void forget(std::size_t page);

 private:
  enum class Page : std::uint8_t { in_ring, frozen, thawed };
  // Where in the store a page's compressed bytes are; size 0: the page is not frozen.
  struct Entry {
    std::uint32_t at = 0;
    std::uint32_t size = 0;
  };
  void read_table(std::size_t newest);
  [[nodiscard]] Entry entry(std::size_t page) const;
  void enter(std::size_t page, Entry entry);
  [[nodiscard]] std::size_t table_size() const { return pages_.size() * sizeof(Entry); }
  [[nodiscard]] std::span<std::byte> bytes(std::size_t page) const {
    return ring_.subspan(page * page_, page_);
  }
  [[nodiscard]] bool find_room(std::size_t size, std::size_t& at) const;
  [[nodiscard]] bool is_free(std::size_t at, std::size_t size) const;
  void thaw_range(std::size_t offset, std::size_t size) const;
  void unfreeze_range(std::size_t offset, std::size_t size);
  void thaw(std::size_t page) const;
  void let_go(std::size_t page) const;
  void let_go_but(std::size_t first, std::size_t last) const;
  void take_out(std::size_t page);

  std::span<std::byte> ring_;
  std::span<std::byte> store_;
  Release release_;
  std::size_t page_;
  std::size_t next_ = 0;            // Where the store goes on.
  std::size_t in_store_ = 0;        // Pages that are frozen or thawed,
  mutable std::size_t frozen_ = 0;  // and those of them that are frozen.
  mutable std::vector<Page> pages_;
  mutable std::vector<std::size_t> latest_;  // Pages that are thawed, the oldest first.
};

}  // namespace vt
