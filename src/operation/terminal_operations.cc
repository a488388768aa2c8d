#include "operation/terminal_operations.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "operation/describe.h"

namespace operation {

namespace asio = boost::asio;
using asio::awaitable;
using session::TerminalEntry;

awaitable<base::Result<std::vector<TerminalInfo>>> TerminalOperations::list(
    Caller caller, std::optional<std::string> session) {
  if (session)
    if (auto known = sessions_.names().find_seen(caller.reach, *session); !known)
      co_return base::fail(known.error());
  const auto activities = co_await sessions_.terminals().activities(caller.reach, session);
  // No awaits from here on: the answer must not be older than the events sent before it.
  std::vector<TerminalInfo> infos;
  for (const TerminalEntry* entry : sessions_.terminals().living_or_restorable(caller.reach))
    if (!session || *session == entry->session.name) infos.push_back(describe(*entry, activities));
  co_return infos;
}

base::Result<TerminalInfo> TerminalOperations::show(const Caller& caller, const Target& target) {
  const auto entry = finder_.find(caller, target);
  if (!entry) return base::fail(entry.error());
  return describe(**entry);
}

awaitable<base::Result<TerminalInfo>> TerminalOperations::create(Caller caller,
                                                                 session::TerminalSpec spec) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  spec.asker = caller.watcher;
  spec.permit = caller.permit;
  const auto entry = co_await sessions_.launcher().create(caller.reach, std::move(spec));
  if (!entry) co_return base::fail(entry.error());
  co_return describe(**entry);
}

awaitable<base::Result<TerminalInfo>> TerminalOperations::restore(
    Caller caller, Target target, std::optional<std::uint16_t> rows,
    std::optional<std::uint16_t> cols) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto id = finder_.id_of(caller, target);
  if (!id) co_return base::fail(id.error());
  const auto entry = co_await sessions_.launcher().restore(caller.reach, *id, rows, cols,
                                                           caller.watcher, caller.permit);
  if (!entry) co_return base::fail(entry.error());
  co_return describe(**entry);
}

base::Result<TerminalInfo> TerminalOperations::rename(const Caller& caller, const Target& target,
                                                      std::string name) {
  if (auto allowed = caller.may_change(); !allowed) return base::fail(allowed.error());
  const auto id = finder_.id_of(caller, target);
  if (!id) return base::fail(id.error());
  const auto renamed = sessions_.names().rename(caller.reach, *id, std::move(name), caller.watcher);
  if (!renamed) return base::fail(renamed.error());
  return describe(**renamed);
}

awaitable<base::Result<std::vector<std::string>>> TerminalOperations::reorder(
    Caller caller, std::vector<std::string> ids) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto done =
      co_await sessions_.names().reorder(caller.reach, std::move(ids), caller.watcher);
  if (!done) co_return base::fail(done.error());
  co_return ids_of(sessions_.terminals().living_or_restorable(caller.reach));
}

awaitable<base::Result<TerminalInfo>> TerminalOperations::resize(Caller caller, Target target,
                                                                 vt::Size size) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto terminal = finder_.find_alive(caller, target);
  if (!terminal) co_return base::fail(terminal.error());
  (*terminal)->resize(size);
  co_await asio::post(executor_, asio::use_awaitable);  // It takes effect at the end of the turn.
  co_return show(caller, target);
}

awaitable<base::Result<session::Closed>> TerminalOperations::close(Caller caller, Target target) {
  if (auto allowed = caller.may_change(); !allowed) co_return base::fail(allowed.error());
  const auto id = finder_.id_of(caller, target);
  if (!id) co_return base::fail(id.error());
  co_return co_await sessions_.closer().close(
      caller.reach, *id, session::CloseReason::user_requested, caller.watcher, caller.permit);
}

}  // namespace operation
