#include "extension/spaces.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;
using session::SessionRow;

Spaces::Spaces(asio::any_io_executor executor, session::Store& store, session::Sessions& sessions,
               const base::Clock& clock)
    : executor_(executor),
      store_(store),
      sessions_(sessions),
      clock_(clock),
      settled_(executor, asio::steady_timer::time_point::max()) {}

SpacePtr Spaces::of(const SessionRow& session) {
  auto& space = all_[session.id.str()];
  if (!space) space = std::make_shared<Space>(executor_, store_, clock_, session);
  return space;
}

SpacePtr Spaces::of(std::string_view session_id) {
  const auto known = all_.find(session_id);
  if (known != all_.end()) return known->second;
  const SessionRow* const session =
      sessions_.find_session(session::SessionId(std::string(session_id)));
  return session == nullptr ? nullptr : of(*session);
}

awaitable<void> Spaces::settled(SpacePtr space) {
  for (;;) {
    if (space->is_settled() && opened_all_) co_return;
    co_await settled_.async_wait(asio::as_tuple(asio::use_awaitable));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return;
  }
}

void Spaces::opened_all() {
  opened_all_ = true;
  wake();
}

}  // namespace extension
