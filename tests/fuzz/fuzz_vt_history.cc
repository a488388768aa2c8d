// A history ring full of arbitrary bytes, as damaged shared memory would be, is opened, shown,
// reflowed and written to; then bytes of what was written, marks too, are damaged in turn. The
// first four bytes are the positions, the fifth says how many of the rest are what happens
// afterwards.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vt/capture.h"
#include "vt/saved_rows.h"
#include "vt/screen.h"
#include "vt/snapshot.h"

namespace {

void show(const vt::Screen& screen, int history_rows) {
  static_cast<void>(vt::snapshot(screen, {.history_rows = history_rows}));
  static_cast<void>(vt::text(screen, {.history_rows = history_rows}));
  static_cast<void>(vt::save_rows(screen, 1 << 10));
}

// Three bytes each: what, and two numbers.
void act(std::span<const std::uint8_t> step, vt::Screen& screen, std::span<std::byte> ring) {
  switch (step[0] % 6) {
    case 0:
    case 1:
      return screen.resize({.cols = step[1] % 40, .rows = step[2] % 8});
    case 2:
      return screen.feed(std::string(step[1] % 64, 'x') + (step[2] % 2 != 0 ? "\r\n" : "日本"));
    case 3: {
      // Within what was written last, where the marks are.
      const std::uint64_t end = screen.state().history.position().end;
      const std::uint64_t at = end - std::min<std::uint64_t>(end, step[1]);
      if (!ring.empty()) ring[at % ring.size()] = static_cast<std::byte>(step[2]);
      return;
    }
    case 4:
      return screen.attach_history(vt::History(ring, screen.state().history.position()));
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
  std::vector<std::byte> ring(bytes.begin(), bytes.end());
  const std::uint64_t begin = data[0] | data[1] << 8;
  const std::uint64_t end = begin + (data[2] | data[3] << 8);
  vt::Screen screen({.cols = 20, .rows = 3});
  screen.attach_history(vt::History(ring, {begin, end}));
  show(screen, vt::kAllHistory);
  screen.feed("some\r\nmore\r\nlines\r\nthat\r\nscroll\r\n");
  screen.resize({.cols = 7, .rows = 5});
  screen.resize({.cols = 30, .rows = 2});
  for (; steps.size() >= 3; steps = steps.subspan(3)) act(steps.first(3), screen, ring);
  static_cast<void>(vt::json(screen, {.history_rows = vt::kAllHistory}));
  return 0;
}
