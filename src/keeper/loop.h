// The keeper's event loop: level-triggered epoll, and timers. One thread.
//
// A watch or timer may be removed at any time, even from inside a callback. It is not called after
// that, even if its event was already fetched.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"

namespace keeper {

class Loop {
 public:
  using Callback = std::function<void()>;
  enum class Id : std::uint64_t { none = 0 };
  enum class Trigger { level, edge };

  [[nodiscard]] static base::Result<Loop> create(const base::Clock& clock);

  // Calls `callback` whenever `fd` is readable or has hung up.
  [[nodiscard]] base::Result<Id> on_readable(const base::Fd& fd, Callback callback,
                                             Trigger trigger = Trigger::level);
  [[nodiscard]] base::Result<Id> on_writable(const base::Fd& fd, Callback callback);
  // Removes a watch and sets `id` to none. The descriptor must still be open.
  void unwatch(const base::Fd& fd, Id& id);

  // Calls `callback` once, `delay` from now.
  [[nodiscard]] Id after(std::chrono::milliseconds delay, Callback callback);
  void cancel(Id& timer);

  // Waits for the next events and timers and runs their callbacks. Without timers it sleeps until
  // there is an event.
  [[nodiscard]] base::Status run_once();

  [[nodiscard]] const base::Clock& clock() const { return *clock_; }

 private:
  Loop(base::Fd epoll, const base::Clock& clock) : epoll_(std::move(epoll)), clock_(&clock) {}
  [[nodiscard]] base::Result<Id> watch(const base::Fd& fd, std::uint32_t events, Callback callback);
  [[nodiscard]] int milliseconds_to_next_timer() const;
  void run_due_timers();

  struct Timer {
    Id id;
    Callback callback;
  };

  base::Fd epoll_;
  const base::Clock* clock_;
  std::uint64_t last_id_ = 0;
  // Shared with a running call, so that a callback may remove itself.
  std::unordered_map<std::uint64_t, std::shared_ptr<Callback>> watches_;
  std::multimap<base::MonotonicTime, Timer> timers_;
};

}  // namespace keeper
