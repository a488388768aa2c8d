// A second daemon after the first one: the keeper and the store are the same.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "session/test_sessions.h"

namespace session {

class SuccessorTest : public SessionsTest {
 protected:
  ~SuccessorTest() override {
    if (next_) finish(next_->stop());
  }

  void end_first() {
    keeper_.hang_up();  // Requests end before what they use, as in the daemon.
    settle();
    finish(daemon_.stop());
    keeper_.hang_up();
  }
  // Starts the next daemon, which claims the children. Does not answer it yet.
  Answer<base::Status> begin_next(const std::function<void(Settings&)>& change = [](Settings&) {}) {
    next_ = std::make_unique<TestDaemon>(io_, dir(), store_, settings(change));
    start(next_->client.start(keeper::Takeover::no));
    return start(next_->sessions.recover(user_));
  }
  // The same, and the keeper hands over what it holds. Returns the error; empty if there was none.
  std::string succeed(const std::function<void(Settings&)>& change = [](Settings&) {}) {
    const auto recovered = begin_next(change);
    list();
    run_until([&] {
      hand_over_all();
      return recovered->has_value();
    });
    next_->sessions.watchers().add(user_, other_);
    return **recovered ? "" : (*recovered)->error().what;
  }
  void hand_over_all() {
    while (keeper_.was_asked(keeper::Tag::attach))
      keeper_.hand_over(keeper_.take(keeper::Tag::attach));
  }
  [[nodiscard]] Sessions& next() { return next_->sessions; }
  // The user's terminals in their order: "id" and their stage.
  std::vector<std::string> listed(const UserId& user) {
    std::vector<std::string> all;
    for (const TerminalEntry* entry : next().terminals().living_or_restorable(user))
      all.push_back(entry->id.str() + " " + std::string(name_of(entry->stage())));
    return all;
  }

  std::unique_ptr<TestDaemon> next_;
};

}  // namespace session
