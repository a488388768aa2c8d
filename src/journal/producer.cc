#include "journal/producer.h"

#include <fcntl.h>

#include <algorithm>
#include <cassert>
#include <cerrno>

namespace journal {
namespace {

std::uint64_t page_below(std::uint64_t offset) {
  return offset / kPage * kPage;
}

std::uint64_t page_above(std::uint64_t offset) {
  return page_below(offset + kPage - 1);
}

base::Status punch(const base::Fd& memory, std::uint64_t from, std::uint64_t size) {
  if (size == 0 || ::fallocate(memory.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                               static_cast<off_t>(from), static_cast<off_t>(size)) == 0)
    return {};
  return base::fail(base::errno_error(errno, "release a journal's memory"));
}

}  // namespace

base::Result<Producer> Producer::open(base::Fd memory, Wakeups wakeups, Offset produced) {
  const auto constants = check_memory(memory);
  if (!constants) return base::fail(constants.error());
  auto mapping = Mapping::once(memory, 0, kPage + constants->output_capacity);
  if (!mapping) return base::fail(mapping.error());

  Producer producer;
  producer.memory_ = std::move(memory);
  producer.wakeups_ = std::move(wakeups);
  producer.mapping_ = std::move(*mapping);
  producer.constants_ = *constants;
  producer.produced_ = produced;
  producer.header().produced.store(produced, std::memory_order_release);
  producer.dropped_ = page_below(std::min(producer.header().dropped.load(std::memory_order_relaxed),
                                          producer.oldest_promised()));
  return producer;
}

Offset Producer::consumed() const {
  return std::min(header().consumed.load(std::memory_order_acquire), produced_);
}

std::span<std::byte> Producer::room(Limit limit) const {
  std::uint64_t size = constants_.write_window;
  if (limit == Limit::bounded) {
    const std::uint64_t waiting = produced_ - consumed();
    size = waiting >= constants_.slack ? 0 : std::min(size, constants_.slack - waiting);
  }
  const std::uint64_t at = produced_ % constants_.output_capacity;
  return {mapping_.data() + kPage + at, std::min(size, constants_.output_capacity - at)};
}

void Producer::publish(std::size_t size) {
  assert(size <= constants_.write_window);
  produced_ += size;
  header().produced.store(produced_, std::memory_order_release);
  wake_consumer();
}

void Producer::end() {
  header().ended.store(1, std::memory_order_release);
  wake_consumer();
}

void Producer::wake_consumer() {
  // The fence orders the commit before the load of the flag, and before the next write into the
  // ring.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  auto& asleep = header().consumer_asleep;
  if (asleep.load(std::memory_order_relaxed) != 0 && asleep.exchange(0) != 0)
    wakeups_.data.signal();
}

Offset Producer::oldest_promised() const {
  const std::uint64_t replay =
      constants_.output_capacity - constants_.slack - constants_.write_window;
  return produced_ > replay ? produced_ - replay : 0;
}

// Anything older has been overwritten by the current round of the ring.
Offset Producer::oldest_held() const {
  const std::uint64_t round = constants_.output_capacity;
  return std::max(dropped_, produced_ > round ? page_above(produced_ - round) : 0);
}

std::uint64_t Producer::spare() const {
  const Offset from = oldest_held();
  const Offset to = page_below(oldest_promised());
  return to > from ? to - from : 0;
}

base::Status Producer::give_back() {
  const std::uint64_t size = spare();
  if (size == 0 || consumed() != produced_ ||
      header().consumer_asleep.load(std::memory_order_acquire) != kAsleepAndLooksAtDropped)
    return {};
  const Offset from = oldest_held();
  dropped_ = from + size;
  header().dropped.store(dropped_, std::memory_order_release);
  // A reader that is still there finds out afterwards that the bytes were dropped.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const std::uint64_t begin = from % constants_.output_capacity;
  const std::uint64_t first = std::min(size, constants_.output_capacity - begin);
  if (auto punched = punch(memory_, kPage + begin, first); !punched) return punched;
  return punch(memory_, kPage, size - first);
}

bool Producer::sleep() {
  header().producer_asleep.store(kAsleep, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (room(Limit::bounded).empty()) return true;
  awake();
  return false;
}

void Producer::awake() {
  header().producer_asleep.store(0, std::memory_order_relaxed);
}

}  // namespace journal
