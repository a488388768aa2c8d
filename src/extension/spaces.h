// The sessions, as far as their extensions are concerned, and who may change one of them.
//
// Invariants
// 1. A session has one Space, made when it is first asked for and kept until the session is closed.
// 2. `settled` returns only when nobody changes the session and nobody is about to. Between its
//    return and the next co_await, the caller may begin a Change.
// 3. Until `opened_all`, no session is settled: which ones have a worker is unknown.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/clock.h"
#include "extension/space.h"
#include "session/sessions.h"

namespace extension {

class Spaces {
 public:
  Spaces(boost::asio::any_io_executor executor, session::Store& store, session::Sessions& sessions,
         const base::Clock& clock);

  [[nodiscard]] SpacePtr of(const session::SessionRow& session);
  // Null if there is no such session.
  [[nodiscard]] SpacePtr of(std::string_view session_id);
  [[nodiscard]] const std::map<std::string, SpacePtr, std::less<>>& all() const { return all_; }
  void forget(const session::SessionId& session) { all_.erase(session.str()); }

  // Also returns when the caller is cancelled.
  boost::asio::awaitable<void> settled(SpacePtr space);
  void opened_all();
  // Something that `settled` waits for may be true now.
  void wake() { settled_.cancel(); }

 private:
  boost::asio::any_io_executor executor_;
  session::Store& store_;
  session::Sessions& sessions_;
  const base::Clock& clock_;
  std::map<std::string, SpacePtr, std::less<>> all_;  // By the session's id.
  bool opened_all_ = false;
  boost::asio::steady_timer settled_;  // Never expires; cancelled when a session has settled.
};

// From its beginning to its end, nobody else opens, reloads or closes the session.
class Change {
 public:
  Change(Spaces& spaces, SpacePtr space) : spaces_(spaces), space_(std::move(space)) {
    space_->changing = true;
  }
  ~Change() { end(); }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  void end() {
    if (!space_) return;
    std::exchange(space_, nullptr)->changing = false;
    spaces_.wake();
  }

 private:
  Spaces& spaces_;
  SpacePtr space_;  // Null once it has ended.
};

}  // namespace extension
