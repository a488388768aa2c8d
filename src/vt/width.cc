#include "vt/width.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace vt {
namespace {

struct WidthRun {
  char32_t first;
  std::uint8_t width;
};

constexpr WidthRun kRuns[] = {
#include "vt/width_table.inc"
};
constexpr std::size_t kRunCount = sizeof(kRuns) / sizeof(kRuns[0]);

constexpr std::size_t run_at(std::size_t run, char32_t code) {
  while (run + 1 < kRunCount && kRuns[run + 1].first <= code) ++run;
  return run;
}

constexpr WidthTables build() {
  WidthTables tables;
  for (std::uint8_t width = 0; width < 3; ++width) tables.widths[width].fill(width);
  std::size_t distinct = 3;
  std::size_t run = 0;
  for (std::size_t block = 0; block < WidthTables::kBlocks; ++block) {
    const auto first = static_cast<char32_t>(block << WidthTables::kBlockBits);
    run = run_at(run, first);
    if (run + 1 == kRunCount || kRuns[run + 1].first >= first + WidthTables::kBlockSize) {
      tables.block[block] = kRuns[run].width;
      continue;
    }
    for (std::size_t i = 0; i < WidthTables::kBlockSize; ++i) {
      run = run_at(run, static_cast<char32_t>(first + i));
      tables.widths[distinct][i] = kRuns[run].width;
    }
    tables.block[block] = static_cast<std::uint8_t>(distinct++);
  }
  return tables;
}

}  // namespace

constinit const WidthTables kWidthTables = build();

}  // namespace vt
