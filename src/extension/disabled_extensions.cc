#include "extension/disabled_extensions.h"

#include <algorithm>

namespace extension {

namespace {

constexpr std::ptrdiff_t kMostRestarts = 3;
constexpr std::chrono::minutes kRestartsWithin{5};

}  // namespace

DisabledExtensions::Verdict DisabledExtensions::worker_ended(const std::string& extension,
                                                             const std::string& why) {
  const auto now = clock_.now();
  std::erase_if(restarts_,
                [&](const Restart& restart) { return now - restart.time > kRestartsWithin; });
  if (std::ranges::count(restarts_, extension, &Restart::extension) < kMostRestarts) {
    restarts_.push_back({.time = now, .extension = extension});
    return Verdict::restart;
  }
  if (extension.empty()) {
    all_ = true;
    return Verdict::disable_all;
  }
  faulty_[extension] = "disabled after three restarts within five minutes: " + why;
  return Verdict::disable_this;
}

void DisabledExtensions::clear() {
  all_ = false;
  faulty_.clear();
  turned_off_.clear();
  restarts_.clear();
}

std::optional<std::string> DisabledExtensions::why(std::string_view extension) const {
  if (is_turned_off(extension)) return kTurnedOff;
  const auto fault = faulty_.find(extension);
  if (fault == faulty_.end()) return std::nullopt;
  return fault->second;
}

}  // namespace extension
