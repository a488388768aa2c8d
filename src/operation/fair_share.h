// Divides a bounded number of matches among many terminals: no terminal loses its newest ones to
// another that has more.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace operation {

// How many each may keep, of those that they have: together at most `most`, and nobody less than
// somebody else who keeps more, unless that is all they have.
[[nodiscard]] inline std::vector<std::size_t> fair_shares(const std::vector<std::size_t>& sizes,
                                                          std::size_t most) {
  const auto taken = [&](std::size_t level) {
    std::size_t sum = 0;
    for (const std::size_t size : sizes) sum += std::min(size, level);
    return sum;
  };
  std::size_t level = 0;
  for (std::size_t high = most + 1; level + 1 < high;) {
    const std::size_t middle = level + (high - level) / 2;
    (taken(middle) <= most ? level : high) = middle;
  }
  std::size_t left = most - taken(level);
  std::vector<std::size_t> shares;
  for (const std::size_t size : sizes) {
    const bool has_more = size > level && left > 0;
    if (has_more) --left;
    shares.push_back(std::min(size, level) + (has_more ? 1 : 0));
  }
  return shares;
}

}  // namespace operation
