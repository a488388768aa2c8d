// The viewers of a terminal, and which of them is in control. That one decides the terminal's size
// and the colours that programs get as an answer.
//
// Invariants
// 1. The viewer that did something last is in control, of those whose role allows it. Only viewers
//    that show the terminal in a size of their own decide its size. Hidden ones do nothing.
// 2. A viewer that is let go learns so once, and is never woken again.
// 3. Output wakes hidden viewers and onlookers at once, and then at most once in `kBetweenGlances`.

#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "journal/format.h"
#include "terminal/throttle.h"
#include "terminal/viewer.h"
#include "vt/screen.h"

namespace terminal {

// Somebody who does not view the terminal, but looks at it now and then.
class Onlooker {
 public:
  // There may be something new to see. Called in the middle of the terminal's work: only take note.
  virtual void has_changed() = 0;

 protected:
  ~Onlooker() = default;
};

class Audience {
 public:
  struct Events {
    std::function<void(vt::Size)> size_wanted;
    std::function<void(const vt::Theme&)> theme_wanted;
    std::function<void()> first_came;
    std::function<void()> last_left;
    std::function<void()> lossless_moved;  // A lossless viewer has read on, or is gone.
  };

  static constexpr std::chrono::seconds kBetweenGlances{1};

  Audience(boost::asio::any_io_executor executor, Events events)
      : events_(std::move(events)),
        glances_(executor, kBetweenGlances, [this] { wake_hidden(); }) {}

  void attach(Viewer& viewer);
  void detach(Viewer& viewer);
  void let_go_all(Detached why, const Viewer* except = nullptr);
  // The viewer did something that puts it in control, if its role allows that.
  void take_control(Viewer& viewer);
  // The viewer was hidden. The size is left to the others.
  void step_back(Viewer& viewer);
  void theme_changed(const Viewer& viewer);
  void lossless_moved() { events_.lossless_moved(); }

  // There is output.
  void wake();
  // Hidden viewers must learn of something at once.
  void wake_all();
  // The oldest output that a lossless viewer has yet to read; none without such viewers.
  [[nodiscard]] std::optional<journal::Offset> needed_from() const;
  [[nodiscard]] std::size_t size() const { return viewers_.size(); }
  // Whether a viewer shows it.
  [[nodiscard]] bool is_watching() const;

  // Onlookers are no viewers: nobody counts them, and the terminal is an orphan all the same.
  void add(Onlooker& onlooker) { onlookers_.push_back(&onlooker); }
  void remove(Onlooker& onlooker) { std::erase(onlookers_, &onlooker); }

 private:
  void choose_size();
  void wake_hidden();
  [[nodiscard]] const Viewer* in_control() const;

  Events events_;
  std::vector<Onlooker*> onlookers_;
  std::vector<Viewer*> viewers_;  // Who did something last comes last, hidden ones first.
  Throttle glances_;
};

}  // namespace terminal
