// A daemon that is killed or upgraded comes back, and offsets are still good: ask again.

#pragma once

#include <chrono>
#include <thread>

#include "base/result.h"

namespace cli {

class Retries {
 public:
  // Whether to ask again after this error; rests a moment if so.
  [[nodiscard]] base::Status after(const base::Error& error) {
    constexpr int kMost = 50;
    constexpr std::chrono::milliseconds kPause{100};
    if (error.code != base::Code::unavailable || ++failures_ > kMost) return base::fail(error);
    std::this_thread::sleep_for(kPause);
    return {};
  }
  void succeeded() { failures_ = 0; }

 private:
  int failures_ = 0;  // In a row.
};

}  // namespace cli
