// Does something at once when asked, and then rests. Asked while it rests, it does it once more
// afterwards.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace terminal {

class Throttle {
 public:
  Throttle(boost::asio::any_io_executor executor, std::chrono::milliseconds rest,
           std::function<void()> act)
      : state_(std::make_shared<State>(boost::asio::steady_timer(executor), rest, std::move(act))) {
  }

  void ask() {
    if (state_->is_resting)
      state_->is_asked = true;
    else
      act(state_);
  }

 private:
  // Apart, because a timer may fire after this is gone.
  struct State {
    State(boost::asio::steady_timer timer, std::chrono::milliseconds rest,
          std::function<void()> act)
        : timer(std::move(timer)), rest(rest), act(std::move(act)) {}
    boost::asio::steady_timer timer;
    std::chrono::milliseconds rest;
    std::function<void()> act;
    bool is_resting = false;
    bool is_asked = false;
  };

  static void act(const std::shared_ptr<State>& state) {
    state->is_resting = true;
    state->is_asked = false;
    state->timer.expires_after(state->rest);
    state->timer.async_wait([weak = std::weak_ptr(state)](const boost::system::error_code& error) {
      const auto state = weak.lock();
      if (error || !state) return;
      state->is_resting = false;
      if (state->is_asked) act(state);
    });
    state->act();
  }

  std::shared_ptr<State> state_;
};

}  // namespace terminal
