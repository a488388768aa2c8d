#include "http/long_calls.h"

namespace http {

LongCalls::Entry::Entry(LongCalls& calls, const User& user, session::Permit permit,
                        const Socket& socket)
    : calls_(calls),
      call_(calls.calls_.emplace(calls.calls_.end(), user, permit, &socket, calls.executor_)) {
  if (user.until)
    call_->expiry.watch(*user.until, [&waiting = calls.waiting_, permit]() mutable {
      permit.withdraw();
      waiting.check_permits();
    });
  if (calls_.size() == 1) calls_.events_.first_came();
}

LongCalls::Entry::~Entry() {
  calls_.calls_.erase(call_);
  if (calls_.size() == 0) calls_.events_.last_left();
}

std::set<const Socket*> LongCalls::sockets() const {
  std::set<const Socket*> sockets;
  for (const Call& call : calls_) sockets.insert(call.socket);
  return sockets;
}

void LongCalls::end_unless(const std::function<bool(const User&)>& is_let_in) {
  for (Call& call : calls_)
    if (!is_let_in(call.user)) call.permit.withdraw();
  waiting_.check_permits();
}

}  // namespace http
