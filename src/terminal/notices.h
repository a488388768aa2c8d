// Finds out what a person may want to hear of, from what a terminal prints and what its state was
// before.
//
// Invariants
// 1. A terminal that rings or talks all the time gives at most `kMost` notices in `kTime`.
// 2. What output says twice, because the daemon that read it was killed, has the same offset.

#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <vector>

#include "terminal/notice.h"
#include "terminal/state.h"
#include "vt/notice.h"

namespace terminal {

class Notices {
 public:
  static constexpr std::size_t kMost = 10;
  static constexpr std::chrono::seconds kTime{10};
  // Nobody waits for what ends sooner.
  static constexpr std::chrono::seconds kShortest{5};

  explicit Notices(const base::Clock& clock) : clock_(clock) {}

  // The state is another one now, or the same. What ran before had begun then, if it is known.
  void changed(const State& before, std::optional<base::WallTime> begun, const State& now,
               journal::Offset offset);
  void rang(const State& state, journal::Offset offset);
  void printed(const vt::Notice& notice, const State& state, journal::Offset offset);
  void reported(const Report& report, const State& state, journal::Offset offset);

  // Those since the last call.
  [[nodiscard]] std::vector<Notice> take();

 private:
  void add(Notice notice);

  const base::Clock& clock_;
  std::vector<Notice> found_;
  std::deque<base::MonotonicTime> latest_;  // When the latest of them were found.
};

}  // namespace terminal
