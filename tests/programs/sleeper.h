// Waits on a journal's eventfd as a consumer should: edge-triggered, and never read.

#pragma once

#include <sys/epoll.h>

#include <stdexcept>

#include "base/fd.h"

class Sleeper {
 public:
  explicit Sleeper(const base::Fd& fd) : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd.get(), &event) < 0)
      throw std::runtime_error("cannot watch an eventfd");
  }
  void wait() const {
    epoll_event event{};
    ::epoll_wait(epoll_.get(), &event, 1, -1);
  }

 private:
  base::Fd epoll_;
};
