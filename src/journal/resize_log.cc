#include "journal/resize_log.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace journal {
namespace {

std::uint32_t check_of(std::uint64_t index, const ResizeRecord& record) {
  struct {
    std::uint64_t index;
    std::uint64_t offset;
    std::uint16_t rows;
    std::uint16_t cols;
    std::uint32_t zero;
  } const covered{index, record.offset, record.rows, record.cols, 0};
  return static_cast<std::uint32_t>(XXH3_64bits(&covered, 20));
}

}  // namespace

std::uint64_t ResizeLog::count() const {
  return header_->resizes.load(std::memory_order_acquire);
}

base::Status ResizeLog::record(const Resize& resize, std::uint64_t checkpoint) {
  const std::uint64_t index = header_->resizes.load(std::memory_order_relaxed);
  if (index >= kResizeSlots && index - kResizeSlots >= checkpoint)
    return base::fail(base::Code::busy, "all resize records are still needed",
                      "Write a checkpoint first.");
  ResizeRecord record{
      .offset = resize.offset, .rows = resize.rows, .cols = resize.cols, .check = 0};
  record.check = check_of(index, record);
  header_->resize[index % kResizeSlots] = record;
  header_->resizes.store(index + 1, std::memory_order_release);
  return {};
}

std::vector<Resize> ResizeLog::since(std::uint64_t from) const {
  std::vector<Resize> found;
  const std::uint64_t end = count();
  const std::uint64_t kept = std::min<std::uint64_t>(end, kResizeSlots);
  for (std::uint64_t index = std::max(end - kept, from); index < end; ++index) {
    ResizeRecord record{};
    std::memcpy(&record, &header_->resize[index % kResizeSlots], sizeof record);
    if (record.check != check_of(index, record)) continue;
    if (!found.empty() && record.offset < found.back().offset) continue;
    found.push_back({.offset = record.offset, .rows = record.rows, .cols = record.cols});
  }
  return found;
}

}  // namespace journal
