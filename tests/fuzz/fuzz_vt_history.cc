// A history ring full of arbitrary bytes, as damaged shared memory would be, is opened, shown,
// reflowed and written to; then bytes of what was written, marks too, are damaged in turn. The
// first four bytes are the positions, the fifth says how many of the rest are what happens
// afterwards. The rest is a ring, and if the fifth is odd a store of frozen pages behind it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vt/capture.h"
#include "vt/saved_rows.h"
#include "vt/screen.h"
#include "vt/screen_json.h"
#include "vt/snapshot.h"

namespace {

void show(const vt::Screen& screen, int history_rows) {
  static_cast<void>(vt::snapshot(screen, {.history_rows = history_rows}));
  static_cast<void>(vt::text(screen, {.history_rows = history_rows}));
  static_cast<void>(vt::save_rows(screen, 1 << 10));
}

// A ring, and a store for its frozen pages, which may be empty.
struct Memory {
  std::span<std::byte> ring;
  std::span<std::byte> store;

  [[nodiscard]] vt::History open(vt::HistoryPosition position) const {
    const auto overwrite = [](std::span<std::byte> page) {
      std::ranges::fill(page, std::byte{0xdd});
    };
    return {ring, store, position, overwrite, kPage};
  }
  static constexpr std::size_t kPage = 64;
};

// Three bytes each: what, and two numbers.
void act(std::span<const std::uint8_t> step, vt::Screen& screen, const Memory& memory) {
  const std::span<std::byte> ring = memory.ring;
  const std::uint64_t end = screen.state().history.position().end;
  switch (step[0] % 8) {
    case 0:
    case 1:
      return screen.resize({.cols = step[1] % 40, .rows = step[2] % 8});
    case 2:
      return screen.feed(std::string(step[1] % 64, 'x') + (step[2] % 2 != 0 ? "\r\n" : "日本"));
    case 3: {
      // Within what was written last, where the marks are.
      const std::uint64_t at = end - std::min<std::uint64_t>(end, step[1]);
      if (!ring.empty()) ring[at % ring.size()] = static_cast<std::byte>(step[2]);
      return;
    }
    case 4:
      return screen.attach_history(memory.open(screen.state().history.position()));
    case 5:
      static_cast<void>(screen.freeze_history(end, step[1] % 16));
      return;
    case 6:
      if (!memory.store.empty())
        memory.store[step[1] % memory.store.size()] = static_cast<std::byte>(step[2]);
      return;
    default:
      return show(screen, step[1] % 50);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 5) return 0;
  std::span<const std::uint8_t> input(data + 5, size - 5);
  auto steps = input.first(std::min<std::size_t>(input.size(), std::size_t{3} * data[4]));
  const auto bytes = std::as_bytes(input.subspan(steps.size()));
  // In words, for the store has to be aligned.
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t) + 1);
  const auto all = std::as_writable_bytes(std::span(words)).first(bytes.size());
  std::ranges::copy(bytes, all.begin());
  Memory memory{.ring = all, .store = {}};
  if (data[4] % 2 != 0) {
    const std::size_t ring = all.size() / 2 / Memory::kPage * Memory::kPage;
    memory = {.ring = all.first(ring), .store = all.subspan(ring)};
  }
  const std::uint64_t begin = data[0] | data[1] << 8;
  const std::uint64_t end = begin + (data[2] | data[3] << 8);
  vt::Screen screen({.cols = 20, .rows = 3});
  screen.attach_history(memory.open({begin, end}));
  show(screen, vt::kAllHistory);
  screen.feed("some\r\nmore\r\nlines\r\nthat\r\nscroll\r\n");
  screen.resize({.cols = 7, .rows = 5});
  screen.resize({.cols = 30, .rows = 2});
  for (; steps.size() >= 3; steps = steps.subspan(3)) act(steps.first(3), screen, memory);
  static_cast<void>(vt::json(screen, {.history_rows = vt::kAllHistory}));
  return 0;
}
