// Streams for tests, generated from a seed and weighted towards difficult cases.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vt/state.h"

namespace vt {

// splitmix64: small, fast, and the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T, std::size_t N>
  const T& pick(const T (&choices)[N]) {
    return choices[below(static_cast<int>(N))];
  }

 private:
  std::uint64_t state_;
};

// One piece of output: text, a control or a sequence.
[[nodiscard]] std::string random_piece(Random& random, Size size);
[[nodiscard]] Size random_size(Random& random);
// For messages: escapes controls and non-ASCII.
[[nodiscard]] std::string printable(std::string_view bytes);

}  // namespace vt
