// Knows what a terminal does, and tells of it when that changes.
//
// Invariants
// 1. Nobody is told of a state that a successor would not find: it is saved first, with the time
//    when it began.
// 2. The kernel is asked only after output or input, and at most once in `kBetweenLooks`. So
//    nothing is done while nothing happens.

#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "base/clock.h"
#include "terminal/activity.h"
#include "terminal/commands.h"
#include "terminal/delay.h"
#include "terminal/notices.h"
#include "terminal/state_tracker.h"
#include "terminal/throttle.h"

namespace terminal {

class StateTeller {
 public:
  static constexpr std::chrono::milliseconds kBetweenLooks{500};
  static constexpr std::chrono::milliseconds kBeforeTelling{50};

  struct Events {
    std::function<Foreground()> foreground;
    std::function<void()> save;     // Writes a checkpoint.
    std::function<void()> changed;  // Told once for changes in quick succession.
    std::function<void(const Notice&)> noticed;
    std::function<journal::Offset()> offset;  // How much output there is.
  };
  // `argv` is what the terminal was created with.
  StateTeller(boost::asio::any_io_executor executor, const std::vector<std::string>& argv,
              const Commands& commands, Events events, const base::Clock& clock);

  // --- for the terminal. `is_new`: this was printed now, not while the daemon was away.
  void marked(journal::Offset end, bool is_new);
  void rang(journal::Offset offset, bool is_new);
  void noticed(const vt::Notice& notice, journal::Offset end, bool is_new);
  // After output was read.
  void printed();
  void output_lost() { tracker_.output_lost(); }
  void typed();
  void exited(int code);
  // From a checkpoint, if there is one.
  void restore(std::string_view checkpoint) { tracker_.decode(checkpoint); }
  // All output that was there is read.
  void recovered();
  void stop();
  [[nodiscard]] std::string encode() const { return tracker_.encode(); }

  // --- for everybody
  // Returns when a successor knows it.
  void report(const Report& report);
  [[nodiscard]] State state() const { return tracker_.state(); }
  // What output said that an earlier daemon may have told already. Once.
  [[nodiscard]] std::vector<Notice> take_early() { return std::exchange(early_, {}); }

 private:
  [[nodiscard]] StateTracker::Time now_if(bool is_new) const;
  void look();
  void tell_if_changed();
  void unsaved_change();
  void tell();
  void tell_notices();

  const Commands& commands_;
  Events events_;
  const base::Clock& clock_;
  StateTracker tracker_;
  Notices notices_;
  std::vector<Notice> early_;
  State told_;
  bool is_recovered_ = false;
  bool is_unsaved_ = false;
  Throttle looks_;
  Delay telling_;
};

}  // namespace terminal
