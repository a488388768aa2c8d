#include "config/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace config {
namespace {

// The Levenshtein distance: how many characters to insert, remove or replace.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// Two typos, one of them two swapped letters, are a distance of 3. More is another word.
constexpr std::size_t kTooFar = 4;

}  // namespace

std::string_view nearest(std::string_view text, std::span<const std::string_view> words) {
  std::string_view found;
  std::size_t best = kTooFar;
  for (const std::string_view word : words) {
    const std::size_t far = distance(text, word);
    if (far >= best || far * 2 > word.size()) continue;
    best = far;
    found = word;
  }
  return found;
}

}  // namespace config
