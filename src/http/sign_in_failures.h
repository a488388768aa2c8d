// Failed sign-ins by address. After too many within a minute, the address is barred: for a minute
// at first, then twice as long each time, up to 15 minutes.
//
// Invariants
// 1. At most `kMostAddresses` are remembered. The one that failed longest ago is forgotten first.
// 2. Failures while an address is barred do not extend the bar, so a client that retries
//    automatically gets in again.

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

  // How much longer the address is barred; 0 if it is not.
  [[nodiscard]] std::chrono::seconds barred(const std::string& address,
                                            base::MonotonicTime now) const;
  // Counts a failure; `most` of them within a minute bar the address.
  void add(const std::string& address, base::MonotonicTime now, std::int64_t most);
  [[nodiscard]] std::size_t size() const { return addresses_.size(); }

 private:
  struct Entry {
    std::int64_t failures = 0;
    base::MonotonicTime window_began{};
    base::MonotonicTime barred_until{};
    base::MonotonicTime last{};
    std::chrono::seconds bar{0};  // The length of the last one.
  };

  void make_room();

  std::map<std::string, Entry> addresses_;
};

}  // namespace http
