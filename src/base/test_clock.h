// A clock for tests.

#pragma once

#include "base/clock.h"

namespace base {

// A clock that moves only when told to.
class ManualClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime now() const override { return now_; }
  [[nodiscard]] WallTime wall() const override { return wall_; }
  void advance(std::chrono::nanoseconds by) {
    now_ += std::chrono::duration_cast<MonotonicTime::duration>(by);
    wall_ += std::chrono::duration_cast<WallTime::duration>(by);
  }
  void jump_wall_to(WallTime wall) { wall_ = wall; }

 private:
  MonotonicTime now_{};
  WallTime wall_{};
};

}  // namespace base
