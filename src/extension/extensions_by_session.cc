#include "extension/extensions_by_session.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;
using session::SessionRow;

ExtensionsBySession::ExtensionsBySession(asio::any_io_executor executor, session::Store& store,
                                         session::Sessions& sessions, const base::Clock& clock)
    : executor_(executor), store_(store), sessions_(sessions), clock_(clock), settled_(executor) {}

SessionExtensionsPtr ExtensionsBySession::of(const SessionRow& session) {
  auto& extensions = all_[session.id.str()];
  if (!extensions)
    extensions = std::make_shared<SessionExtensions>(executor_, store_, clock_, session);
  return extensions;
}

SessionExtensionsPtr ExtensionsBySession::of(std::string_view session_id) {
  const auto known = all_.find(session_id);
  if (known != all_.end()) return known->second;
  const SessionRow* const session =
      sessions_.names().find_session(session::SessionId(std::string(session_id)));
  return session == nullptr ? nullptr : of(*session);
}

awaitable<void> ExtensionsBySession::settled(SessionExtensionsPtr extensions) {
  for (;;) {
    if (extensions->is_settled() && opened_all_) co_return;
    co_await settled_.wait();
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return;
  }
}

void ExtensionsBySession::opened_all() {
  opened_all_ = true;
  wake();
}

}  // namespace extension
