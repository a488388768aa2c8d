#include "journal/producer.h"

#include <algorithm>
#include <cassert>

namespace journal {
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
  // The fence orders the commit before the look at the flag, and before the next write into the
  // ring.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  auto& asleep = header().consumer_asleep;
  if (asleep.load(std::memory_order_relaxed) != 0 && asleep.exchange(0) != 0)
    wakeups_.data.signal();
}

bool Producer::sleep() {
  header().producer_asleep.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (room(Limit::bounded).empty()) return true;
  awake();
  return false;
}

void Producer::awake() {
  header().producer_asleep.store(0, std::memory_order_relaxed);
}

}  // namespace journal
