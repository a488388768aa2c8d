// Does something some time after it was first asked. Asked again until then, it does it once.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace terminal {

class Delay {
 public:
  Delay(boost::asio::any_io_executor executor, std::chrono::milliseconds time,
        std::function<void()> act)
      : state_(std::make_shared<State>(boost::asio::steady_timer(executor), time, std::move(act))) {
  }

  void ask() {
    if (std::exchange(state_->is_asked, true)) return;
    state_->timer.expires_after(state_->time);
    state_->timer.async_wait(
        [weak = std::weak_ptr(state_)](const boost::system::error_code& error) {
          const auto state = weak.lock();
          if (error || !state) return;
          state->is_asked = false;
          state->act();
        });
  }
  void cancel() { state_->timer.cancel(); }

 private:
  // Apart, because a timer may fire after this is gone.
  struct State {
    State(boost::asio::steady_timer timer, std::chrono::milliseconds time,
          std::function<void()> act)
        : timer(std::move(timer)), time(time), act(std::move(act)) {}
    boost::asio::steady_timer timer;
    std::chrono::milliseconds time;
    std::function<void()> act;
    bool is_asked = false;
  };

  std::shared_ptr<State> state_;
};

}  // namespace terminal
