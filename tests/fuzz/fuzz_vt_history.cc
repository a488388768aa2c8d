// A history ring full of arbitrary bytes, as damaged shared memory would be, is opened, shown,
// reflowed and written to. The first four bytes are the positions.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vt/capture.h"
#include "vt/screen.h"
#include "vt/snapshot.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const auto bytes = std::as_bytes(std::span(data + 4, size - 4));
  std::vector<std::byte> ring(bytes.begin(), bytes.end());
  const std::uint64_t begin = data[0] | data[1] << 8;
  const std::uint64_t end = begin + (data[2] | data[3] << 8);
  vt::Screen screen({.cols = 20, .rows = 3});
  screen.attach_history(vt::History(ring, {begin, end}));
  static_cast<void>(vt::snapshot(screen));
  static_cast<void>(vt::text(screen, {.history_rows = vt::kAllHistory}));
  screen.feed("some\r\nmore\r\nlines\r\nthat\r\nscroll\r\n");
  screen.resize({.cols = 7, .rows = 5});
  screen.resize({.cols = 30, .rows = 2});
  static_cast<void>(vt::json(screen, {.history_rows = vt::kAllHistory}));
  return 0;
}
