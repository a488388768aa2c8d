// A daemon that is killed or upgraded comes back, and offsets are still good: ask again.

#pragma once

#include <chrono>
#include <limits>
#include <thread>

#include "base/result.h"

namespace cli {

class Retries {
 public:
  static constexpr int kSome = 50;  // Some seconds.
  static constexpr int kEndless = std::numeric_limits<int>::max();

  explicit Retries(int most = kSome) : most_(most) {}

  // Whether to ask again after this error; rests a moment if so.
  [[nodiscard]] base::Status after(const base::Error& error) {
    constexpr std::chrono::milliseconds kPause{100};
    if (error.code != base::Code::unavailable || ++failures_ > most_) return base::fail(error);
    std::this_thread::sleep_for(kPause);
    return {};
  }
  void succeeded() { failures_ = 0; }

 private:
  int most_;
  int failures_ = 0;  // In a row.
};

}  // namespace cli
