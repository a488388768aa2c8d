// A journal with any bytes in it gives errors, never a crash and never a read outside the ring.
//
// The input is laid over the journal's header page and over its two checkpoint slots; with the
// first byte even, the constants are made good again, so that what comes after them is reached.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "journal/consumer.h"

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
    for (const auto& resize : consumer.resizes().since(from))
      if (resize.offset < from) std::abort();
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto memory = journal::create_memory(kShape).value();
  const auto constants = journal::check_memory(memory).value();
  const bool keep_constants = data[0] % 2 == 0;
  ++data;
  --size;
  const std::size_t in_header = std::min(size, journal::kPage);
  auto whole = journal::Mapping::once(memory, 0, journal::total_size(constants)).value();
  std::memcpy(whole.data(), data, in_header);
  if (keep_constants) std::memcpy(whole.data(), &constants, sizeof constants);
  const std::size_t slots = whole.size() - 2 * constants.checkpoint_capacity;
  std::memcpy(whole.data() + slots, data + in_header,
              std::min(size - in_header, whole.size() - slots));
  auto wakeups = journal::Wakeups::create().value();
  if (auto consumer = journal::Consumer::open(memory, std::move(wakeups)))
    read_everything(*consumer);
  return 0;
}
