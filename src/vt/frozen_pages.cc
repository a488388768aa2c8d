#include "vt/frozen_pages.h"

#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>

namespace vt {
namespace {

// Rows of text shrink to a third or less. A higher level takes five times as long and saves a
// tenth.
constexpr int kLevel = 1;

// Readers go from page to page.
constexpr std::size_t kMostThawed = 4;

// A smaller history is not worth compressing. Ring and store must fit into a journal.
constexpr std::uint64_t kLeastMemory = 8 * FrozenPages::kPage;
constexpr std::uint64_t kMostInAll = std::uint64_t{1} << 30;
constexpr std::uint64_t kStoreUnit = 4096;
// Text that compresses better than this has more room in the store than in the ring.
constexpr std::uint64_t kMostShrunk = 8;

struct Free {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

ZSTD_CCtx* compressor() {
  thread_local const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  return context.get();
}

ZSTD_DCtx* decompressor() {
  thread_local const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
  return context.get();
}

}  // namespace

HistoryShape history_shape(std::uint64_t memory) {
  if (memory < kLeastMemory) return {.ring = memory, .store = 0};
  const std::uint64_t store = memory / 4 * 3 / kStoreUnit * kStoreUnit;
  const std::uint64_t ring = std::min(kMostShrunk * memory, kMostInAll - store);
  return {.ring = ring / FrozenPages::kPage * FrozenPages::kPage, .store = store};
}

FrozenPages::FrozenPages(std::span<std::byte> ring, std::span<std::byte> store, std::uint64_t end,
                         Release release, std::size_t page)
    : ring_(ring),
      store_(store),
      release_(std::move(release)),
      page_(page),
      next_(ring.size() / page * sizeof(Entry)),
      pages_(ring.size() / page) {
  // Do not read the table of a history that was never long: that would allocate its memory.
  if (end > kept_warm()) read_table(end % ring.size() / page);
}

void FrozenPages::read_table(std::size_t newest) {
  for (std::size_t i = 1; i <= pages_.size(); ++i) {
    const std::size_t page = (newest + pages_.size() - i) % pages_.size();
    const Entry known = entry(page);
    if (known.size == 0) continue;
    // The store continues after the page that was frozen last.
    if (const std::size_t end = std::size_t{known.at} + known.size;
        in_store_ == 0 && known.at >= table_size() && end <= store_.size())
      next_ = end;
    pages_[page] = Page::frozen;
    ++in_store_;
  }
  frozen_ = in_store_;
}

std::size_t FrozenPages::always_kept() const {
  const std::size_t fit = (store_.size() - table_size()) / ZSTD_compressBound(page_);
  // One page may not fit where the store wraps around.
  return kept_warm() + (fit > 0 ? fit - 1 : 0) * page_;
}

FrozenPages::Entry FrozenPages::entry(std::size_t page) const {
  std::uint64_t both = 0;
  std::memcpy(&both, store_.data() + page * sizeof(Entry), sizeof both);
  return std::bit_cast<Entry>(both);
}

// Atomic, after everything before it is written.
void FrozenPages::enter(std::size_t page, Entry entry) {
  auto& both = *reinterpret_cast<std::uint64_t*>(store_.data() + page * sizeof(Entry));
  std::atomic_ref(both).store(std::bit_cast<std::uint64_t>(entry), std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

bool FrozenPages::freeze(std::size_t page) {
  if (pages_[page] == Page::in_ring) {
    thread_local std::vector<char> compressed;
    compressed.resize(ZSTD_compressBound(page_));
    const std::size_t size = ZSTD_compressCCtx(compressor(), compressed.data(), compressed.size(),
                                               bytes(page).data(), page_, kLevel);
    std::size_t at = 0;
    if (ZSTD_isError(size) != 0 || !find_room(size, at)) return false;
    std::memcpy(store_.data() + at, compressed.data(), size);
    enter(page, {.at = static_cast<std::uint32_t>(at), .size = static_cast<std::uint32_t>(size)});
    next_ = at + size;
    pages_[page] = Page::thawed;
    ++in_store_;
  }
  if (pages_[page] == Page::thawed) let_go(page);
  return true;
}

void FrozenPages::forget(std::size_t page) {
  if (!is_frozen(page)) return;
  if (pages_[page] == Page::frozen) --frozen_;
  take_out(page);
  release_(bytes(page));
}

void FrozenPages::take_out(std::size_t page) {
  std::erase(latest_, page);
  pages_[page] = Page::in_ring;
  --in_store_;
  enter(page, {});
}

// After the last stored page, or from the start again.
bool FrozenPages::find_room(std::size_t size, std::size_t& at) const {
  at = next_;
  if (at + size > store_.size()) at = table_size();
  return at + size <= store_.size() && is_free(at, size);
}

bool FrozenPages::is_free(std::size_t at, std::size_t size) const {
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (!is_frozen(i)) continue;
    const Entry taken = entry(i);
    if (taken.at < at + size && at < std::size_t{taken.at} + taken.size) return false;
  }
  return true;
}

void FrozenPages::thaw_range(std::size_t offset, std::size_t size) const {
  const std::size_t first = offset / page_;
  const std::size_t last = (offset + std::max<std::size_t>(size, 1) - 1) / page_;
  for (std::size_t i = first; i <= last; ++i) {
    const std::size_t page = i % pages_.size();
    if (is_in_ring(page)) continue;
    let_go_but(first, last);
    thaw(page);
  }
}

// Makes room for one more thawed page, but keeps those from `first` to `last`, which may wrap
// around the ring.
void FrozenPages::let_go_but(std::size_t first, std::size_t last) const {
  if (latest_.size() < kMostThawed) return;
  const auto unneeded = std::ranges::find_if(latest_, [&](std::size_t page) {
    return (page < first || page > last) && page + pages_.size() > last;
  });
  if (unneeded != latest_.end()) let_go(*unneeded);
}

void FrozenPages::let_go(std::size_t page) const {
  std::erase(latest_, page);
  pages_[page] = Page::frozen;
  ++frozen_;
  release_(bytes(page));
}

void FrozenPages::unfreeze_range(std::size_t offset, std::size_t size) {
  for (std::size_t i = offset / page_; i * page_ < offset + size; ++i) {
    const std::size_t page = i % pages_.size();
    if (pages_[page] == Page::frozen) thaw(page);
    if (pages_[page] == Page::thawed) take_out(page);
  }
}

void FrozenPages::thaw(std::size_t page) const {
  const Entry from = entry(page);
  const std::span<std::byte> to = bytes(page);
  const bool is_inside =
      from.at >= table_size() && from.at <= store_.size() && from.size <= store_.size() - from.at;
  if (!is_inside || ZSTD_decompressDCtx(decompressor(), to.data(), to.size(),
                                        store_.data() + from.at, from.size) != to.size())
    std::ranges::fill(to, std::byte{0});
  pages_[page] = Page::thawed;
  latest_.push_back(page);
  --frozen_;
}

}  // namespace vt
