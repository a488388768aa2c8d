#include "journal/consumer.h"

#include <algorithm>

namespace journal {

base::Result<Consumer> Consumer::open(const base::Fd& memory, Wakeups wakeups) {
  const auto constants = check_memory(memory);
  if (!constants) return base::fail(constants.error());
  const std::uint64_t history_at = kPage + constants->output_capacity;
  auto page = Mapping::once(memory, 0, kPage);
  if (!page) return base::fail(page.error());
  auto ring = Mapping::twice(memory, kPage, constants->output_capacity);
  if (!ring) return base::fail(ring.error());
  auto history = Mapping::once(memory, history_at, constants->history_capacity);
  if (!history) return base::fail(history.error());
  auto slots = Mapping::once(memory, history_at + constants->history_capacity,
                             2 * constants->checkpoint_capacity);
  if (!slots) return base::fail(slots.error());

  Consumer consumer;
  consumer.wakeups_ = std::move(wakeups);
  consumer.page_ = std::move(*page);
  consumer.ring_ = std::move(*ring);
  consumer.slots_ = std::move(*slots);
  consumer.constants_ = *constants;
  Header& header = consumer.header();
  consumer.history_ = HistoryMemory(std::move(*history), history_at, header);
  consumer.checkpoints_ = Checkpoints(consumer.slots_.span(), header);
  consumer.resizes_ = ResizeLog(header);
  if (consumer.consumed() > consumer.produced())
    return base::fail(base::Code::corrupt,
                      "the journal is damaged: more was consumed than produced");
  return consumer;
}

Offset Consumer::produced() const {
  return header().produced.load(std::memory_order_acquire);
}

Offset Consumer::consumed() const {
  return header().consumed.load(std::memory_order_relaxed);
}

Offset Consumer::tail() const {
  const std::uint64_t kept = constants_.output_capacity - constants_.write_window;
  const Offset dropped = header().dropped.load(std::memory_order_acquire);
  const Offset produced = this->produced();
  return std::max(produced > kept ? produced - kept : 0, std::min(dropped, produced));
}

bool Consumer::ended() const {
  return header().ended.load(std::memory_order_acquire) != 0;
}

base::Result<std::span<const std::byte>> Consumer::view(Offset from, std::size_t most) const {
  const Offset produced = this->produced();
  if (from > produced)
    return base::fail(base::Code::invalid_argument, "offset " + std::to_string(from) +
                                                        " is beyond the journal's end, " +
                                                        std::to_string(produced));
  if (from < tail())
    return base::fail(base::Code::not_found, "offset " + std::to_string(from) +
                                                 " is no longer in the journal, which starts at " +
                                                 std::to_string(tail()));
  // If `produced` jumped between the two loads, stay inside the two copies of the ring.
  const std::uint64_t size = std::min<std::uint64_t>(
      {produced - from, most, constants_.output_capacity - constants_.write_window});
  return std::span<const std::byte>(ring_.data() + from % constants_.output_capacity, size);
}

bool Consumer::intact(Offset from) const {
  // Read the bytes before `produced` is loaded again.
  std::atomic_thread_fence(std::memory_order_acquire);
  return from >= tail();
}

base::Result<std::vector<std::byte>> Consumer::copy(Offset from, std::size_t most) const {
  const auto bytes = view(from, most);
  if (!bytes) return base::fail(bytes.error());
  std::vector<std::byte> copied(bytes->begin(), bytes->end());
  if (!intact(from))
    return base::fail(base::Code::not_found,
                      "the output from offset " + std::to_string(from) + " was overwritten");
  return copied;
}

base::Status Consumer::advance(Offset to) {
  const Offset produced = this->produced();
  if (to < consumed() || to > produced)
    return base::fail(base::Code::invalid_argument,
                      "cannot move from " + std::to_string(consumed()) + " to " +
                          std::to_string(to) + " of " + std::to_string(produced) + " bytes");
  header().consumed.store(to, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  auto& asleep = header().producer_asleep;
  if (produced - to <= constants_.slack / 2 && asleep.load(std::memory_order_relaxed) != 0 &&
      asleep.exchange(0) != 0)
    wakeups_.space.signal();
  return {};
}

bool Consumer::sleep(Offset seen) {
  header().consumer_asleep.store(kAsleepAndLooksAtDropped, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (produced() == seen && !ended()) return true;
  awake();
  return false;
}

void Consumer::awake() {
  header().consumer_asleep.store(0, std::memory_order_relaxed);
}

Offset Consumer::answered() const {
  return header().answered.load(std::memory_order_relaxed);
}

void Consumer::set_answered(Offset offset) {
  header().answered.store(offset, std::memory_order_release);
}

}  // namespace journal
