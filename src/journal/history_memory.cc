#include "journal/history_memory.h"

#include <sys/mman.h>

namespace journal {

std::span<std::byte> HistoryMemory::ring() const {
  return memory_.span().first(memory_.size() - behind_ring().size());
}

std::span<std::byte> HistoryMemory::behind_ring() const {
  const std::uint64_t size = header_->history_store.load(std::memory_order_relaxed);
  const bool is_sound = size <= memory_.size() && size % kPage == 0;
  return memory_.span().last(is_sound ? size : 0);
}

std::span<std::byte> HistoryMemory::store() const {
  const auto behind = behind_ring();
  return behind.first(behind.size() - input_area().size());
}

std::span<std::byte> HistoryMemory::input_area() const {
  const auto behind = behind_ring();
  const bool has_one = header_->input_area.load(std::memory_order_relaxed) == kInputArea;
  return behind.last(has_one && behind.size() >= kInputArea ? kInputArea : 0);
}

std::uint64_t HistoryMemory::input_position() const {
  return position_ + memory_.size() - input_area().size();
}

void HistoryMemory::release(std::span<std::byte> pages) const {
  // If this fails, the memory stays in use; nothing else changes.
  [[maybe_unused]] const int released = ::madvise(pages.data(), pages.size(), MADV_REMOVE);
}

}  // namespace journal
