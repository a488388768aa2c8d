// Time as a dependency: code that waits or measures takes a Clock, so that tests control the time.

#pragma once

#include <chrono>

namespace base {

using MonotonicTime = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual MonotonicTime now() const = 0;  // For deadlines; never jumps.
  [[nodiscard]] virtual WallTime wall() const = 0;      // For people; may jump.
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime now() const override { return std::chrono::steady_clock::now(); }
  [[nodiscard]] WallTime wall() const override { return std::chrono::system_clock::now(); }
};

[[nodiscard]] inline const Clock& system_clock() {
  static const SystemClock kClock;
  return kClock;
}

}  // namespace base
