// What a terminal shows, small: for those who look at many at once.
//
// Invariants
// 1. A sketch has at most `kMostRows` rows and `kMostCols` columns, whatever the terminal's size:
//    those up to its cursor, or to its last text below it.
// 2. Only rows that have changed are taken again.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vt/screen.h"

namespace terminal {

class Sketch {
 public:
  static constexpr int kMostRows = 30;
  static constexpr int kMostCols = 100;

  struct Change {
    int rows = 0;
    int cols = 0;
    std::optional<std::pair<int, int>> cursor{};  // Column and row; none if it is not to be seen.
    std::map<int, std::string> lines{};           // As JSON (vt/screen_json.h), without links.
    friend bool operator==(const Change&, const Change&) = default;
  };
  // None if nothing has changed since the last one.
  [[nodiscard]] std::optional<Change> take(const vt::Screen& screen);

 private:
  Change last_;  // Without its lines.
  std::vector<std::size_t> hashes_;
};

}  // namespace terminal
