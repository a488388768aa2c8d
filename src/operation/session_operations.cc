#include "operation/session_operations.h"

#include "operation/describe.h"

namespace operation {

using boost::asio::awaitable;

std::vector<SessionInfo> SessionOperations::list(const Caller& caller) {
  auto counts = sessions_.terminals().count(caller.reach);
  std::vector<SessionInfo> infos;
  for (const session::SessionRow& row : sessions_.names().sessions(caller.reach)) {
    const auto [living, restorable] = counts[row.id];
    infos.push_back(describe(row, living, restorable));
  }
  return infos;
}

base::Result<SessionInfo> SessionOperations::create(const Caller& caller,
                                                    const NewSession& wanted) {
  if (auto allowed = caller.may_change(); !allowed) return base::fail(allowed.error());
  const auto made = sessions_.names().create_session(
      caller.reach, wanted.name, wanted.kind, wanted.work_dir, wanted.isolation, caller.watcher);
  if (!made) return base::fail(made.error());
  return describe(*made, 0, 0);
}

base::Status SessionOperations::rename(const Caller& caller, const std::string& name,
                                       const std::string& new_name) {
  if (auto allowed = caller.may_change(); !allowed) return allowed;
  return sessions_.names().rename_session(caller.reach, name, new_name, caller.watcher);
}

awaitable<base::Status> SessionOperations::close(Caller caller, std::string name) {
  if (auto allowed = caller.may_change(); !allowed) co_return allowed;
  co_return co_await sessions_.close_session(caller.reach, name, caller.watcher, caller.permit);
}

}  // namespace operation
