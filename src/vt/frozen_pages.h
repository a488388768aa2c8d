// A ring of bytes whose older pages are kept compressed in a store beside it. The caller owns both.
// They may be shared memory, so neither is trusted: a page that cannot be thawed reads as zeros.
//
// 1. A frozen page's bytes in the ring are not used: their memory is released.
// 2. Reading a page thaws it in place; it also stays in the store. Only a few are thawed at a time.
// 3. Writing to a page unfreezes it.
// 4. If the process is killed between any two steps, every page can still be read from the ring or
//    the store: a page enters the store's table when all of it is there, and leaves it before it
//    changes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace vt {

// The layout of a history that takes `memory` bytes at rest. A small one has no store.
struct HistoryShape {
  std::uint64_t ring = 0;
  std::uint64_t store = 0;
};
[[nodiscard]] HistoryShape history_shape(std::uint64_t memory);

class FrozenPages {
 public:
  static constexpr std::size_t kPage = 16 * 1024;

  // Releases the memory of a page of the ring. Its content does not matter afterwards.
  using Release = std::function<void(std::span<std::byte>)>;

  // The ring consists of whole pages and ends at the absolute position `end`. The store is aligned
  // to eight bytes.
  FrozenPages(std::span<std::byte> ring, std::span<std::byte> store, std::uint64_t end,
              Release release, std::size_t page = kPage);

  [[nodiscard]] std::size_t page() const { return page_; }
  // How many of the newest bytes are never frozen. These and the store are the memory used at rest.
  [[nodiscard]] std::size_t kept_warm() const { return store_.size() / 3; }
  // How many of the newest bytes are always available, warm or in the store, however badly they
  // compress.
  [[nodiscard]] std::size_t always_kept() const;
  [[nodiscard]] bool is_frozen(std::size_t page) const { return pages_[page] != Page::in_ring; }
  // Whether its bytes in the ring are valid.
  [[nodiscard]] bool is_in_ring(std::size_t page) const { return pages_[page] != Page::frozen; }

  // Call before reading `size` bytes from `offset`.
  void before_read(std::size_t offset, std::size_t size) const {
    if (frozen_ > 0) thaw_range(offset, size);
  }
  // Call before writing them.
  void before_write(std::size_t offset, std::size_t size) {
    if (in_store_ > 0) unfreeze_range(offset, size);
  }

  // Freezes a page that is older than the warm ones, in the order of the ring. False if the store
  // has no room until `forget` is called for an older page.
  [[nodiscard]] bool freeze(std::size_t page);
  // Drops a frozen page.
  void forget(std::size_t page);

 private:
  enum class Page : std::uint8_t { in_ring, frozen, thawed };
  // Where a page's compressed bytes are in the store. Size 0 means not frozen.
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
  std::size_t next_ = 0;            // Where the next page goes in the store.
  std::size_t in_store_ = 0;        // Pages in the store, frozen or thawed.
  mutable std::size_t frozen_ = 0;  // Those of them that are frozen.
  mutable std::vector<Page> pages_;
  mutable std::vector<std::size_t> latest_;  // Thawed pages, oldest first.
};

}  // namespace vt
