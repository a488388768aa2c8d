// How many columns a character takes: the widths of xterm.js with @xterm/addon-unicode11 0.9.0
// active, as in the web client. width_table.mjs generates the table from that package.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "vt/cell.h"

namespace vt {

// Two stages: a block of 128 code points is an index into the distinct blocks. Most are uniform, so
// all of Unicode fits into a few kilobytes and a lookup is two loads.
struct WidthTables {
  static constexpr std::size_t kBlockBits = 7;
  static constexpr std::size_t kBlockSize = 1 << kBlockBits;
  static constexpr std::size_t kBlocks = 0x110000 >> kBlockBits;
  static constexpr std::size_t kMaxDistinct = 192;

  std::array<std::uint8_t, kBlocks> block{};
  std::array<std::array<std::uint8_t, kBlockSize>, kMaxDistinct> widths{};
};
extern const WidthTables width_tables;

// `code` is at most U+10FFFF.
[[nodiscard]] inline Width width_of(char32_t code) {
  const std::size_t block = width_tables.block[code >> WidthTables::kBlockBits];
  if (block < 3) return static_cast<Width>(block);
  return static_cast<Width>(width_tables.widths[block][code % WidthTables::kBlockSize]);
}

}  // namespace vt
