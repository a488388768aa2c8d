// A saved history with arbitrary bytes in it, as a damaged disk would give it. Whatever comes of it
// as output shows text, and does nothing else to a terminal.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "session/history_file.h"
#include "vt/saved_rows.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(session::decode_history(bytes));
  constexpr int kCols = 20;
  const auto output = vt::rows_as_output(bytes, kCols);
  if (!output) return 0;
  std::vector<std::byte> ring(1 << 14);
  vt::Screen screen({.cols = kCols, .rows = 3});
  screen.attach_history(vt::History(ring));
  screen.feed(*output);
  const vt::State& state = screen.state();
  if (state.alternate_active || !(state.modes == vt::Modes()) || !(state.titles == vt::Titles()))
    std::abort();
  screen.resize({.cols = 7, .rows = 5});
  static_cast<void>(vt::save_rows(screen, 1 << 12));
  return 0;
}
