// A rate limit: `rate` times per second, and up to `burst` times at once after a pause.

#pragma once

#include <algorithm>
#include <chrono>

#include "base/clock.h"

namespace http {

class TokenBucket {
 public:
  // False if that exceeds the limit; then these times do not count.
  [[nodiscard]] bool take(base::MonotonicTime now, double rate, double burst, double times = 1) {
    const double seconds = std::chrono::duration<double>(now - filled_).count();
    taken_ = std::clamp(taken_ - seconds * rate, 0.0, burst);
    filled_ = now;
    if (taken_ + times > burst) return false;
    taken_ += times;
    return true;
  }
  // Whether the bucket is as good as a new one by now.
  [[nodiscard]] bool is_rested(base::MonotonicTime now, double rate) const {
    return taken_ <= std::chrono::duration<double>(now - filled_).count() * rate;
  }

 private:
  double taken_ = 0;
  base::MonotonicTime filled_{};
};

}  // namespace http
