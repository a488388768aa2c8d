// A journal with any bytes in it gives errors, never a crash and never a read outside the ring.
//
// A good journal, with output, resizes and two checkpoints, is changed where the input is not zero:
// its first half is laid over the header page, the rest over the beginnings of the two checkpoint
// slots, by exclusive or.

#include <algorithm>
#include <cstdlib>
#include <span>

#include "journal/consumer.h"
#include "journal/producer.h"

namespace {

constexpr journal::Shape kShape{
    .replay = 4096, .slack = 4096, .history = 4096, .checkpoint = 4096, .rows = 24, .cols = 80};

void read_everything(journal::Consumer& consumer) {
  const journal::Offset produced = consumer.produced();
  for (const journal::Offset from :
       {journal::Offset{0}, consumer.consumed(), consumer.tail(), produced, produced + 1}) {
    if (const auto bytes = consumer.copy(from, 1 << 20)) {
      if (bytes->size() > consumer.constants().output_capacity) std::abort();
    }
    (void)consumer.advance(from);
    if (consumer.resizes().since(from).size() > journal::kResizeSlots) std::abort();
  }
  (void)consumer.sleep(produced);
  if (const auto checkpoint = consumer.checkpoints().latest())
    if (checkpoint->screen.size() > kShape.checkpoint) std::abort();
  if (consumer.checkpoints()
          .write({.offset = 0, .screen = std::vector<std::byte>(100)})
          .has_value() &&
      !consumer.checkpoints().latest())
    std::abort();
  (void)consumer.resizes().record({.offset = produced, .rows = 1, .cols = 1}, 0);
}

// A journal as two processes leave it.
base::Fd good_journal() {
  auto memory = journal::create_memory(kShape).value();
  auto producer = journal::Producer::open(base::duplicate(memory).value(),
                                          journal::Wakeups::create().value(), 0)
                      .value();
  auto consumer = journal::Consumer::open(memory, journal::Wakeups::create().value()).value();
  for (int round = 0; round < 40; ++round) {
    producer.publish(producer.room(journal::Limit::free).size() / 3);
    if (!consumer.resizes().record({.offset = producer.produced(), .rows = 24, .cols = 80}, 0))
      std::abort();
  }
  for (const journal::Offset offset : {journal::Offset{7}, producer.produced()})
    if (!consumer.checkpoints().write({.offset = offset,
                                       .history = 1,
                                       .rows = 2,
                                       .cols = 3,
                                       .screen = std::vector<std::byte>(64)}))
      std::abort();
  return memory;
}

void lay_over(std::span<std::byte> bytes, std::span<const std::uint8_t> input) {
  for (std::size_t i = 0; i < std::min(bytes.size(), input.size()); ++i)
    bytes[i] ^= std::byte{input[i]};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const base::Fd memory = good_journal();
  const auto constants = journal::check_memory(memory).value();
  const auto whole = journal::Mapping::once(memory, 0, journal::total_size(constants)).value();
  const auto slots = whole.span().last(2 * constants.checkpoint_capacity);
  const std::span input(data, size);
  lay_over(whole.span().first(journal::kPage), input.first(size / 2));
  lay_over(slots, input.subspan(size / 2, size / 4));
  lay_over(slots.subspan(constants.checkpoint_capacity), input.subspan(size / 2 + size / 4));
  if (auto consumer = journal::Consumer::open(memory, journal::Wakeups::create().value()))
    read_everything(*consumer);
  return 0;
}
