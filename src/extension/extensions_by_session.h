// What is known about the extensions of each session, and who may change one of them.
//
// Invariants
// 1. A session has one SessionExtensions, made when it is first asked for and kept until the
//    session is closed.
// 2. `settled` returns only when nobody changes the session and nobody is about to. Between its
//    return and the next co_await, the caller may begin a Change.
// 3. Until `opened_all`, no session is settled: which ones have a worker is unknown.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.h"
#include "base/event.h"
#include "extension/session_extensions.h"
#include "session/sessions.h"

namespace extension {

class ExtensionsBySession {
 public:
  ExtensionsBySession(boost::asio::any_io_executor executor, session::Store& store,
                      session::Sessions& sessions, const base::Clock& clock);

  [[nodiscard]] SessionExtensionsPtr of(const session::SessionRow& session);
  // Null if there is no such session.
  [[nodiscard]] SessionExtensionsPtr of(std::string_view session_id);
  [[nodiscard]] const std::map<std::string, SessionExtensionsPtr, std::less<>>& all() const {
    return all_;
  }
  void forget(const session::SessionId& session) { all_.erase(session.str()); }

  // Also returns when the caller is cancelled.
  boost::asio::awaitable<void> settled(SessionExtensionsPtr extensions);
  void opened_all();
  // Something that `settled` waits for may be true now.
  void wake() { settled_.notify(); }

 private:
  boost::asio::any_io_executor executor_;
  session::Store& store_;
  session::Sessions& sessions_;
  const base::Clock& clock_;
  std::map<std::string, SessionExtensionsPtr, std::less<>> all_;  // By the session's id.
  bool opened_all_ = false;
  base::Event settled_;  // A session has.
};

// From its beginning to its end, nobody else opens, reloads or closes the session.
class Change {
 public:
  Change(ExtensionsBySession& by_session, SessionExtensionsPtr extensions)
      : by_session_(by_session), extensions_(std::move(extensions)) {
    extensions_->changing = true;
  }
  ~Change() { end(); }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  void end() {
    if (!extensions_) return;
    std::exchange(extensions_, nullptr)->changing = false;
    by_session_.wake();
  }

 private:
  ExtensionsBySession& by_session_;
  SessionExtensionsPtr extensions_;  // Null once it has ended.
};

}  // namespace extension
