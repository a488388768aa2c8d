#include "session/closer.h"

#include <algorithm>
#include <vector>

#include "base/log.h"

namespace session {

using boost::asio::awaitable;

awaitable<void> Closer::stop() {
  tasks_.cancel();
  co_await tasks_.join();
}

awaitable<base::Result<Closed>> Closer::close(UserId user, std::string id, CloseReason reason,
                                              const Watcher* asker, Permit permit) {
  auto held = terminals_.find_listed(user, id);
  if (!held) co_return base::fail(held.error());
  std::string key = (*held)->key.str();
  if ((*held)->stage() == Stage::restorable) co_return discard(key, asker, permit.asker());
  terminals_.enter(**held, Stage::closing);
  co_return co_await finish_close(std::move(key), reason, asker, std::move(permit));
}

void Closer::start_close(const Held& held, CloseReason reason) {
  if (!held.is_alive()) return;
  // Now, not when the task starts: nobody may find it in between.
  terminals_.enter(terminals_.at(held.key.str()), Stage::closing);
  tasks_.spawn([this, key = held.key.str(), reason]() -> awaitable<void> {
    if (auto closed = co_await finish_close(key, reason, nullptr, {}); !closed)
      base::log(base::Level::warning, "cannot close a terminal",
                {{"terminal", key}, {"error", closed.error()}});
  });
}

awaitable<base::Result<Closed>> Closer::finish_close(std::string key, CloseReason reason,
                                                     const Watcher* asker, Permit permit) {
  auto closed = co_await keeper_.close(terminal::ChildId(key));
  Held& held = terminals_.at(key);  // Nobody else takes it out while it is closing.
  if (!closed && closed.error().code != base::Code::not_found) {
    reopen(held);
    co_return base::fail(closed.error());
  }
  held.terminal->detach_viewers(terminal::Detached::closed);
  co_await held.terminal->stop();
  const Terminals::Map::node_type taken = terminals_.take_out(key);
  co_return bury(
      taken.mapped(), reason, asker,
      reason == CloseReason::idle_timeout ? "orphan grace period expired" : permit.asker());
}

void Closer::reopen(Held& held) {
  const auto exit = std::exchange(held.untold_exit, std::nullopt);
  if (exit) held.exit_code.reset();
  terminals_.enter(held, held.exit_code ? Stage::exited : Stage::running);
  if (exit) held.terminal->process_exited(*exit);
}

Closed Closer::discard(const std::string& key, const Watcher* asker, const std::string& detail) {
  const Terminals::Map::node_type taken = terminals_.take_out(key);
  return bury(taken.mapped(), CloseReason::user_requested, asker, detail);
}

Closed Closer::bury(const Held& gone, CloseReason reason, const Watcher* asker,
                    const std::string& detail) {
  rows_.save(gone.key.str());
  histories_.remove(gone.key);
  rows_.note(gone, "closed", detail);
  watchers_.tell(gone.user, asker,
                 [&](Watcher& watcher) { watcher.terminal_closed(gone, reason); });
  return {.id = gone.id, .exit_code = gone.exit_code};
}

void Closer::discard_restorable(const std::string& key) {
  const Held* const held = terminals_.find(key);
  if (held != nullptr && held->stage() == Stage::restorable) discard(key);
}

void Closer::drop_oldest_exited(const UserId& user) {
  std::vector<const Held*> exited;
  for (const auto& [key, held] : terminals_.of(user))
    if (held->stage() == Stage::exited) exited.push_back(held);
  if (exited.size() <= settings_.exited_kept) return;
  std::ranges::sort(exited, {}, [](const Held* held) { return held->created; });
  for (std::size_t i = 0; i + settings_.exited_kept < exited.size(); ++i)
    start_close(*exited[i], CloseReason::process_exit);
}

void Closer::drop_oldest_restorable(const UserId& user) {
  std::vector<const Held*> left;
  for (const auto& [key, held] : terminals_.of(user))
    if (held->stage() == Stage::restorable) left.push_back(held);
  if (left.size() <= settings_.restorable_kept) return;
  std::ranges::sort(left, std::ranges::greater{},
                    [](const Held* held) { return held->saved->last_activity; });
  for (std::size_t i = settings_.restorable_kept; i < left.size(); ++i)
    discard(std::string(left[i]->key.str()));
}

}  // namespace session
