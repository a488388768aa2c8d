#include "http/limits.h"

namespace http {

std::optional<Places::Place> Places::take(const std::string& key, std::int64_t most) {
  std::int64_t& taken = taken_[key];
  if (taken >= most) {
    if (taken == 0) taken_.erase(key);
    return std::nullopt;
  }
  ++taken;
  return std::optional<Place>(std::in_place, *this, key);
}

void Places::give_back(const std::string& key) {
  const auto found = taken_.find(key);
  if (--found->second == 0) taken_.erase(found);
}

bool Rates::take(const std::string& key, base::MonotonicTime now, double rate, double burst) {
  if (!buckets_.contains(key) && buckets_.size() >= kMost) {
    std::erase_if(buckets_, [&](const auto& each) { return each.second.is_rested(now, rate); });
    if (buckets_.size() >= kMost) buckets_.erase(buckets_.begin());
  }
  return buckets_[key].take(now, rate, burst);
}

}  // namespace http
