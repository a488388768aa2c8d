// Which extensions of one session are not to be loaded, and why: because their user turned them
// off, or because the session's worker died over them too often. All of it until the next /reload.
//
// Invariants
// 1. Restarts are counted per extension. Those with an unknown cause count separately, and disable
//    all extensions.
// 2. A restart counts for five minutes; the fourth within that time disables.

#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace extension {

// The error of an extension that its user turned off.
inline constexpr const char* kTurnedOff = "turned off; /reload turns it on again";

class DisabledExtensions {
 public:
  explicit DisabledExtensions(const base::Clock& clock) : clock_(clock) {}

  enum class Verdict { restart, disable_this, disable_all };
  // The worker ended. `extension`: the one at fault; empty if unknown.
  [[nodiscard]] Verdict worker_ended(const std::string& extension, const std::string& why);
  void turn_off(const std::string& extension) { turned_off_.insert(extension); }
  // Forgets everything.
  void clear();

  [[nodiscard]] bool all() const { return all_; }
  [[nodiscard]] bool is_turned_off(std::string_view extension) const {
    return turned_off_.contains(extension);
  }
  [[nodiscard]] bool has_faults() const { return all_ || !faulty_.empty(); }
  // Why this one is not to be loaded; none if it is.
  [[nodiscard]] std::optional<std::string> why(std::string_view extension) const;

 private:
  struct Restart {
    base::MonotonicTime time;
    std::string extension;
  };

  const base::Clock& clock_;
  std::deque<Restart> restarts_;
  std::map<std::string, std::string, std::less<>> faulty_;  // And why.
  std::set<std::string, std::less<>> turned_off_;           // By the user.
  bool all_ = false;
};

}  // namespace extension
