// An input area with any bytes in it, and any file position, gives at worst an empty one: never a
// crash, and never more typed than was accepted.
//
// A good area, with typed and waiting inputs and a lease, is changed where the input is not zero:
// its first two bytes move the position, the rest is laid over the head, the records and the ring,
// by exclusive or.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "journal/consumer.h"
#include "journal/input_log.h"
#include "journal/lease_slots.h"

namespace {

constexpr journal::Shape kShape{.replay = 4096,
                                .slack = 4096,
                                .history = journal::kPage + journal::kInputArea,
                                .checkpoint = 4096,
                                .rows = 24,
                                .cols = 80};
constexpr int kInputs = 70;

void lay_over(std::span<std::byte> bytes, std::span<const std::uint8_t> input) {
  for (std::size_t i = 0; i < std::min(bytes.size(), input.size()); ++i)
    bytes[i] ^= std::byte{input[i]};
}

struct Area {
  Area()
      : memory(journal::create_memory(kShape).value()),
        consumer(journal::Consumer::open(memory, journal::Wakeups::create().value()).value()) {
    consumer.history().set_store(journal::kInputArea);
    consumer.history().set_input_area();
  }
  journal::InputLog open() const {
    return journal::InputLog::open(consumer.history().input_area(), base::duplicate(memory).value(),
                                   consumer.history().input_position());
  }
  base::Fd memory;
  journal::Consumer consumer;
};

void fill(const Area& area, const base::Fd& nowhere) {
  journal::InputLog log = area.open();
  for (int i = 0; i < kInputs; ++i) {
    if (!log.accept({.key = std::to_string(i)}, std::string(1 + i * 7, 'x'))) std::abort();
    if (i < kInputs - 3) (void)log.type(nowhere, log.waiting());
  }
  journal::LeaseSlots slots(area.consumer.history().input_area());
  slots.write({.id = std::string(journal::kLeaseIdSize, 'a'), .holder = "one"});
  slots.write({.id = std::string(journal::kLeaseIdSize, 'b'), .holder = "two"});
}

void use(journal::InputLog& log, const base::Fd& nowhere) {
  if (log.waiting() >= journal::kInputRing) std::abort();
  for (int i = 0; i < kInputs; ++i) (void)log.find(std::to_string(i));
  for (int rounds = 0; log.waiting() > 0; ++rounds)
    if (rounds > 4 || log.type(nowhere, log.waiting()) <= 0) std::abort();
  if (!log.accept({.key = "new"}, "hello") || log.type(nowhere, 5) != 5) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const base::Fd kNowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (size < 2) return 0;
  const Area area;
  fill(area, kNowhere);
  ::lseek(area.memory.get(), data[0] + 256 * data[1], SEEK_CUR);
  const auto bytes = area.consumer.history().input_area();
  const std::span input(data + 2, size - 2);
  lay_over(bytes.first(journal::kPage), input.first(input.size() / 2));
  lay_over(bytes.subspan(journal::kPage), input.subspan(input.size() / 2));
  journal::InputLog log = area.open();
  use(log, kNowhere);
  journal::LeaseSlots slots(bytes);
  if (const auto lease = slots.read())
    if (lease->holder.size() > journal::kLongestHolder) std::abort();
  const journal::StoredLease fresh{.id = std::string(journal::kLeaseIdSize, 'c'), .holder = "new"};
  slots.write(fresh);
  if (journal::LeaseSlots(bytes).read() != fresh) std::abort();
  return 0;
}
