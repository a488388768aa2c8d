// Numbered lines, each known from its number: a lost, doubled or damaged one shows.

#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

#include "programs/sequence.h"

namespace lines {

// 23 characters. With its end and the frame of a history record it takes 32 bytes, so that records
// in a ring of a power of two always begin at the same places: a reader that trusts bytes which
// were overwritten meanwhile finds whole records there, of the wrong lines.
inline std::string text(std::uint64_t number) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%010" PRIu64 " %012" PRIx64, number,
                sequence::block(number) & 0xffffffffffffU);
  return buffer;
}

}  // namespace lines
