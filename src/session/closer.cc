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

awaitable<base::Result<Closed>> Closer::close(Reach reach, std::string id, CloseReason reason,
                                              const Watcher* asker, Permit permit) {
  auto entry = terminals_.find_living_or_restorable(reach, id);
  if (!entry) co_return base::fail(entry.error());
  std::string key = (*entry)->key.str();
  if ((*entry)->stage() == Stage::restorable) co_return discard(key, asker, permit.asker());
  terminals_.enter(**entry, Stage::closing);
  co_return co_await finish_close(std::move(key), reason, asker, std::move(permit));
}

void Closer::start_close(const TerminalEntry& entry, CloseReason reason) {
  if (!entry.is_alive()) return;
  // Now, not when the task starts: nobody may find it in between.
  terminals_.enter(terminals_.at(entry.key.str()), Stage::closing);
  tasks_.spawn([this, key = entry.key.str(), reason]() -> awaitable<void> {
    if (auto closed = co_await finish_close(key, reason, nullptr, {}); !closed)
      base::log(base::Level::warning, "cannot close a terminal",
                {{"terminal", key}, {"error", closed.error()}});
  });
}

awaitable<base::Result<Closed>> Closer::finish_close(std::string key, CloseReason reason,
                                                     const Watcher* asker, Permit permit) {
  auto closed = co_await keeper_.close(keeper::ChildId(key));
  TerminalEntry& entry = terminals_.at(key);  // Nobody else takes it out while it is closing.
  if (!closed && closed.error().code != base::Code::not_found) {
    reopen(entry);
    co_return base::fail(closed.error());
  }
  entry.terminal->audience().let_go_all(terminal::Detached::closed);
  co_await entry.terminal->stop();
  const Terminals::Map::node_type taken = terminals_.take_out(key);
  co_return bury(
      taken.mapped(), reason, asker,
      reason == CloseReason::idle_timeout ? "orphan grace period expired" : permit.asker());
}

void Closer::reopen(TerminalEntry& entry) {
  const auto exit = std::exchange(entry.untold_exit, std::nullopt);
  if (exit) entry.exit_code.reset();
  terminals_.enter(entry, entry.exit_code ? Stage::exited : Stage::running);
  if (exit) entry.terminal->process_exited(*exit);
}

Closed Closer::discard(const std::string& key, const Watcher* asker, const std::string& detail) {
  const Terminals::Map::node_type taken = terminals_.take_out(key);
  return bury(taken.mapped(), CloseReason::user_requested, asker, detail);
}

Closed Closer::bury(const TerminalEntry& gone, CloseReason reason, const Watcher* asker,
                    const std::string& detail) {
  rows_.save(gone.key.str());
  histories_.remove(gone.key);
  rows_.note(gone, "closed", detail);
  watchers_.tell(gone, asker, [&](Watcher& watcher) { watcher.terminal_closed(gone, reason); });
  return {.id = gone.id, .exit_code = gone.exit_code};
}

void Closer::discard_restorable(const std::string& key) {
  const TerminalEntry* const entry = terminals_.find(key);
  if (entry != nullptr && entry->stage() == Stage::restorable) discard(key);
}

void Closer::drop_oldest_exited(const UserId& user) {
  std::vector<const TerminalEntry*> exited;
  for (const auto& [key, entry] : terminals_.of(user))
    if (entry->stage() == Stage::exited) exited.push_back(entry);
  if (exited.size() <= settings_.exited_kept) return;
  std::ranges::sort(exited, {}, [](const TerminalEntry* entry) { return entry->created; });
  for (std::size_t i = 0; i + settings_.exited_kept < exited.size(); ++i)
    start_close(*exited[i], CloseReason::process_exit);
}

void Closer::drop_oldest_restorable(const UserId& user) {
  std::vector<const TerminalEntry*> left;
  for (const auto& [key, entry] : terminals_.of(user))
    if (entry->stage() == Stage::restorable) left.push_back(entry);
  if (left.size() <= settings_.restorable_kept) return;
  std::ranges::sort(left, std::ranges::greater{},
                    [](const TerminalEntry* entry) { return entry->saved->last_activity; });
  for (std::size_t i = settings_.restorable_kept; i < left.size(); ++i)
    discard(std::string(left[i]->key.str()));
}

}  // namespace session
