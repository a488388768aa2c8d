// How long handlers have been deciding about each event. An open question stops a handler's clock;
// afterwards the handler has its full time again.

#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"

namespace extension {

class DecisionTimes {
 public:
  // The runner gives handlers 5 seconds and names the late one. This timeout is for a runner that
  // fails to do so.
  static constexpr std::chrono::seconds kMost{6};

  explicit DecisionTimes(const base::Clock& clock) : clock_(clock) {}

  void begin(const std::string& call) { since_[call] = clock_.now(); }
  void end(const std::string& call) { since_.erase(call); }
  // No question of the call is open any more.
  void question_closed(const std::string& call) {
    if (const auto event = since_.find(call); event != since_.end()) event->second = clock_.now();
  }
  // The time that is left; none if it is over, or if nothing of that call is being decided.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> left(const std::string& call,
                                                             bool has_open_question) {
    if (has_open_question) question_closed(call);
    const auto event = since_.find(call);
    if (event == since_.end()) return std::nullopt;
    const auto left = event->second + kMost - clock_.now();
    if (left <= left.zero()) return std::nullopt;
    return left;
  }

 private:
  const base::Clock& clock_;
  std::map<std::string, base::MonotonicTime> since_;  // When no question has been open, by call.
};

}  // namespace extension
