// Detects a flood of output.
//
// The keeper commits a flood in pieces of about 4 KiB. Waking up for each piece costs more than
// reading it. So in a flood the reader rests for a moment and then finds many pieces at once. An
// echo, a prompt or a redrawn screen is far below a flood and is never delayed.

#pragma once

#include <chrono>
#include <cstddef>

namespace terminal {

class Pace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Much shorter than the 2 ms in which the fastest program fills the journal's slack (256 KiB).
  static constexpr std::chrono::microseconds kRest{500};

  void took(std::size_t bytes) { bytes_ += bytes; }

  // Call it whenever nothing is left to take.
  [[nodiscard]] bool is_flood(Time now) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::microseconds>(now - since_);
    if (elapsed < kSpan) return flood_;
    flood_ = bytes_ / kFlood >= static_cast<std::size_t>(elapsed.count());
    since_ = now;
    bytes_ = 0;
    return flood_;
  }

 private:
  static constexpr std::chrono::milliseconds kSpan{4};
  static constexpr std::size_t kFlood = 16;  // Bytes per microsecond.

  Time since_{};
  std::size_t bytes_ = 0;
  bool flood_ = false;
};

}  // namespace terminal
