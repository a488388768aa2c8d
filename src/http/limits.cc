#include "http/limits.h"

namespace http {

std::optional<Places::Place> Places::take(const std::string& whose, std::int64_t most) {
  std::int64_t& taken = taken_[whose];
  if (taken >= most) {
    if (taken == 0) taken_.erase(whose);
    return std::nullopt;
  }
  ++taken;
  return std::optional<Place>(std::in_place, *this, whose);
}

void Places::give_back(const std::string& whose) {
  const auto found = taken_.find(whose);
  if (--found->second == 0) taken_.erase(found);
}

bool Rates::take(const std::string& whose, base::MonotonicTime now, double rate, double burst) {
  if (!buckets_.contains(whose) && buckets_.size() >= kMost) {
    std::erase_if(buckets_, [&](const auto& each) { return each.second.is_rested(now, rate); });
    if (buckets_.size() >= kMost) buckets_.erase(buckets_.begin());
  }
  return buckets_[whose].take(now, rate, burst);
}

}  // namespace http
