// The requests that wait for something, and may outlast their credential.

#pragma once

#include <functional>
#include <list>
#include <set>
#include <utility>

#include <boost/asio/any_io_executor.hpp>

#include "http/expiry.h"
#include "http/socket.h"
#include "http/user.h"
#include "operation/waiting.h"
#include "session/permit.h"

namespace http {

class LongCalls {
 private:
  struct Call {
    Call(User user, session::Permit permit, const Socket* socket,
         boost::asio::any_io_executor executor)
        : user(std::move(user)),
          permit(std::move(permit)),
          socket(socket),
          expiry(executor, base::system_clock()) {}

    User user;
    session::Permit permit;
    const Socket* socket;
    Expiry expiry;
  };

 public:
  struct Events {
    std::function<void()> first_came;
    std::function<void()> last_left;
  };

  // `waiting` is where they wait; they end there with their permit.
  LongCalls(boost::asio::any_io_executor executor, operation::Waiting& waiting, Events events)
      : executor_(executor), waiting_(waiting), events_(std::move(events)) {}

  // Is one of them as long as it lives.
  class Entry {
   public:
    Entry(LongCalls& calls, const User& user, session::Permit permit, const Socket& socket);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    LongCalls& calls_;
    std::list<Call>::iterator call_;
  };

  [[nodiscard]] std::size_t size() const { return calls_.size(); }
  [[nodiscard]] std::set<const Socket*> sockets() const;
  // Ends those of users that are no longer let in.
  void end_unless(const std::function<bool(const User&)>& is_let_in);

 private:
  boost::asio::any_io_executor executor_;
  operation::Waiting& waiting_;
  Events events_;
  std::list<Call> calls_;
};

}  // namespace http
