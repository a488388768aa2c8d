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

// Two stages: a block of 128 code points is an index into the distinct blocks. Most are uniform, so
// all of Unicode fits into a few kilobytes and a lookup is two loads.
constexpr std::size_t kBlockBits = 7;
constexpr std::size_t kBlockSize = 1 << kBlockBits;
constexpr std::size_t kBlocks = 0x110000 >> kBlockBits;
constexpr std::size_t kMaxDistinct = 192;

struct Tables {
  std::array<std::uint8_t, kBlocks> block{};
  std::array<std::array<std::uint8_t, kBlockSize>, kMaxDistinct> widths{};
  std::size_t distinct = 0;
};

constexpr std::size_t run_at(std::size_t run, char32_t code) {
  while (run + 1 < kRunCount && kRuns[run + 1].first <= code) ++run;
  return run;
}

constexpr Tables build() {
  Tables tables;
  for (std::uint8_t width = 0; width < 3; ++width) tables.widths[width].fill(width);
  tables.distinct = 3;
  std::size_t run = 0;
  for (std::size_t block = 0; block < kBlocks; ++block) {
    const auto first = static_cast<char32_t>(block << kBlockBits);
    run = run_at(run, first);
    if (run + 1 == kRunCount || kRuns[run + 1].first >= first + kBlockSize) {
      tables.block[block] = kRuns[run].width;
      continue;
    }
    for (std::size_t i = 0; i < kBlockSize; ++i) {
      run = run_at(run, static_cast<char32_t>(first + i));
      tables.widths[tables.distinct][i] = kRuns[run].width;
    }
    tables.block[block] = static_cast<std::uint8_t>(tables.distinct++);
  }
  return tables;
}

constexpr Tables kTables = build();

}  // namespace

Width width_of(char32_t code) {
  if (code > 0x10ffff) return Width::one;
  return static_cast<Width>(kTables.widths[kTables.block[code >> kBlockBits]][code % kBlockSize]);
}

}  // namespace vt
