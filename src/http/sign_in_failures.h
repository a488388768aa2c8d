// Failed sign-ins by address. After too many within a minute the address is barred, for a minute at
// first and twice as long each time it goes on, up to a quarter of an hour.
//
// Invariants
// 1. Only so many addresses are remembered; the one that failed longest ago is forgotten first.
// 2. What fails while the address is barred does not prolong that: a client that retries by itself
//    comes free again.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "base/clock.h"

namespace http {

class SignInFailures {
 public:
  static constexpr std::size_t kMostAddresses = 10'000;
  static constexpr std::chrono::seconds kWindow{60};
  static constexpr std::chrono::seconds kLongestBar{900};

  // How long the address is barred from now on; 0 if it is not.
  [[nodiscard]] std::chrono::seconds barred(const std::string& address,
                                            base::MonotonicTime now) const;
  // One more failed; with `most` within a minute the address is barred.
  void add(const std::string& address, base::MonotonicTime now, std::int64_t most);
  [[nodiscard]] std::size_t size() const { return addresses_.size(); }

 private:
  struct Entry {
    std::int64_t failures = 0;
    base::MonotonicTime window_began{};
    base::MonotonicTime barred_until{};
    base::MonotonicTime last{};
    std::chrono::seconds bar{0};  // The last one's length.
  };

  void make_room();

  std::map<std::string, Entry> addresses_;
};

}  // namespace http
