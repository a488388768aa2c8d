#include "http/sign_in_failures.h"

#include <algorithm>

namespace http {

std::chrono::seconds SignInFailures::barred(const std::string& address,
                                            base::MonotonicTime now) const {
  const auto found = addresses_.find(address);
  if (found == addresses_.end() || found->second.barred_until <= now) return {};
  return std::chrono::ceil<std::chrono::seconds>(found->second.barred_until - now);
}

void SignInFailures::add(const std::string& address, base::MonotonicTime now, std::int64_t most) {
  if (!addresses_.contains(address) && addresses_.size() >= kMostAddresses) make_room();
  Entry& entry = addresses_[address];
  if (now < entry.barred_until) return;
  if (now - entry.last > kLongestBar) entry = Entry{};
  if (now - entry.window_began > kWindow) {
    entry.window_began = now;
    entry.failures = 0;
  }
  entry.last = now;
  if (++entry.failures < most) return;
  entry.bar = std::clamp(2 * entry.bar, kWindow, kLongestBar);
  entry.barred_until = now + entry.bar;
  entry.last = entry.barred_until;
  entry.failures = 0;
}

void SignInFailures::make_room() {
  const auto oldest =
      std::ranges::min_element(addresses_, {}, [](const auto& each) { return each.second.last; });
  addresses_.erase(oldest);
}

}  // namespace http
