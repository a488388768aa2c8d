#include "operation/operations.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "operation/describe.h"

namespace operation {

namespace asio = boost::asio;
using asio::awaitable;
using session::TerminalEntry;

awaitable<base::Result<std::vector<TerminalInfo>>> Operations::list(
    Caller caller, std::optional<std::string> session) {
  if (session)
    if (auto known = sessions_.names().find_or_default(caller.user, *session); !known)
      co_return base::fail(known.error());
  const auto doings = co_await sessions_.terminals().doings(caller.user, session);
  // No awaits from here on: the answer must not be older than the events sent before it.
  std::vector<TerminalInfo> infos;
  for (const TerminalEntry* entry : sessions_.terminals().listed(caller.user))
    if (!session || *session == entry->session.name) infos.push_back(describe(*entry, doings));
  co_return infos;
}

base::Result<TerminalInfo> Operations::show(const Caller& caller, const std::string& target) {
  const auto entry = find(caller, target);
  if (!entry) return base::fail(entry.error());
  return describe(**entry);
}

awaitable<base::Result<TerminalInfo>> Operations::create(Caller caller,
                                                         session::TerminalSpec spec) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  spec.asker = caller.watcher;
  spec.permit = caller.permit;
  const auto entry = co_await sessions_.launcher().create(caller.user, std::move(spec));
  if (!entry) co_return base::fail(entry.error());
  co_return describe(**entry);
}

awaitable<base::Result<TerminalInfo>> Operations::restore(Caller caller, std::string target,
                                                          std::optional<std::uint16_t> rows,
                                                          std::optional<std::uint16_t> cols) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto found = find(caller, target);
  if (!found) co_return base::fail(found.error());
  const std::string id = (*found)->id.str();
  const auto entry = co_await sessions_.launcher().restore(caller.user, id, rows, cols,
                                                           caller.watcher, caller.permit);
  if (!entry) co_return base::fail(entry.error());
  co_return describe(**entry);
}

base::Result<TerminalInfo> Operations::rename(const Caller& caller, const std::string& target,
                                              std::string name) {
  if (auto allowed = caller.may_change(); !allowed) return base::fail(allowed.error());
  const auto found = find(caller, target);
  if (!found) return base::fail(found.error());
  const auto renamed =
      sessions_.names().rename(caller.user, (*found)->id.str(), std::move(name), caller.watcher);
  if (!renamed) return base::fail(renamed.error());
  return describe(**renamed);
}

awaitable<base::Result<TerminalInfo>> Operations::resize(Caller caller, std::string target,
                                                         vt::Size size) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto terminal = find_alive(caller, target);
  if (!terminal) co_return base::fail(terminal.error());
  (*terminal)->resize(size);
  co_await asio::post(executor_, asio::use_awaitable);  // It takes effect at the end of the turn.
  co_return show(caller, target);
}

awaitable<base::Result<session::Closed>> Operations::close(Caller caller, std::string target) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto found = find(caller, target);
  if (!found) co_return base::fail(found.error());
  const std::string id = (*found)->id.str();
  co_return co_await sessions_.closer().close(caller.user, id, session::CloseReason::user_requested,
                                              caller.watcher, caller.permit);
}

std::vector<SessionInfo> Operations::sessions(const Caller& caller) {
  auto counts = sessions_.terminals().count(caller.user);
  std::vector<SessionInfo> infos;
  for (const session::SessionRow& row : sessions_.names().sessions(caller.user)) {
    const auto [living, restorable] = counts[row.id];
    infos.push_back(describe(row, living, restorable));
  }
  return infos;
}

base::Result<SessionInfo> Operations::create_session(const Caller& caller,
                                                     const std::string& name) {
  if (auto allowed = caller.may_change(); !allowed) return base::fail(allowed.error());
  const auto made = sessions_.names().create_session(
      caller.user, name, session::SessionKind::interactive, {}, {}, caller.watcher);
  if (!made) return base::fail(made.error());
  return describe(*made, 0, 0);
}

base::Status Operations::rename_session(const Caller& caller, const std::string& name,
                                        const std::string& new_name) {
  if (auto allowed = caller.may_change(); !allowed) return allowed;
  return sessions_.names().rename_session(caller.user, name, new_name, caller.watcher);
}

awaitable<base::Status> Operations::close_session(Caller caller, std::string name) {
  if (auto allowed = caller.may_change(); !allowed) co_return allowed;
  co_return co_await sessions_.close_session(caller.user, name, caller.watcher, caller.permit);
}

}  // namespace operation
