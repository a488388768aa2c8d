#include "keeper/loop.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

namespace keeper {

base::Result<Loop> Loop::create(const base::Clock& clock) {
  base::Fd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return base::fail(base::errno_error(errno, "create an epoll instance"));
  return Loop(std::move(epoll), clock);
}

base::Result<Loop::Id> Loop::watch(const base::Fd& fd, std::uint32_t events, Callback callback) {
  const std::uint64_t id = ++last_id_;
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd.get(), &event) < 0)
    return base::fail(base::errno_error(errno, "watch a descriptor"));
  watches_.emplace(id, std::make_shared<Callback>(std::move(callback)));
  return Id{id};
}

base::Result<Loop::Id> Loop::on_readable(const base::Fd& fd, Callback callback, Trigger trigger) {
  return watch(fd, trigger == Trigger::edge ? EPOLLIN | EPOLLET : EPOLLIN, std::move(callback));
}

base::Result<Loop::Id> Loop::on_writable(const base::Fd& fd, Callback callback) {
  return watch(fd, EPOLLOUT, std::move(callback));
}

void Loop::unwatch(const base::Fd& fd, Id& id) {
  if (id == Id::none) return;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd.get(), nullptr);
  watches_.erase(static_cast<std::uint64_t>(id));
  id = Id::none;
}

Loop::Id Loop::after(std::chrono::milliseconds delay, Callback callback) {
  const Id id{++last_id_};
  timers_.emplace(clock_->now() + delay, Timer{.id = id, .callback = std::move(callback)});
  return id;
}

void Loop::cancel(Id& timer) {
  if (timer == Id::none) return;
  std::erase_if(timers_, [timer](const auto& entry) { return entry.second.id == timer; });
  timer = Id::none;
}

int Loop::milliseconds_to_next_timer() const {
  if (timers_.empty()) return -1;
  const auto wait =
      std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first - clock_->now());
  return static_cast<int>(std::clamp<std::int64_t>(wait.count(), 0, 60'000));
}

void Loop::run_due_timers() {
  const auto now = clock_->now();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    const auto timer = timers_.extract(timers_.begin());
    timer.mapped().callback();
  }
}

base::Status Loop::run_once() {
  std::array<epoll_event, 64> events{};
  const int count =
      ::epoll_wait(epoll_.get(), events.data(), events.size(), milliseconds_to_next_timer());
  if (count < 0 && errno != EINTR) return base::fail(base::errno_error(errno, "wait for events"));
  for (int i = 0; i < count; ++i) {
    const std::uint64_t watch = events[i].data.u64;  // A copy: the kernel's struct is packed.
    const auto found = watches_.find(watch);
    if (found == watches_.end()) continue;
    const auto callback = found->second;
    (*callback)();
  }
  run_due_timers();
  return {};
}

}  // namespace keeper
