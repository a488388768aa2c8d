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

}  // namespace http
