#include "session/sessions.h"

#include <vector>

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

Sessions::Sessions(asio::any_io_executor executor, keeper::KeeperClient& keeper, Store& store,
                   Settings settings)
    : settings_(std::move(settings)),
      terminals_(executor),
      rows_(executor, store, terminals_, settings_.unsaved_file),
      histories_(executor, terminals_, rows_, settings_.history_dir, settings_.save_history),
      logins_(store, settings_),
      names_(store, terminals_, rows_, watchers_, settings_),
      preferences_(store, watchers_),
      closer_(executor, keeper, terminals_, rows_, histories_, watchers_, settings_),
      follower_(executor, terminals_, rows_, histories_, closer_, watchers_, settings_),
      launcher_(parts(keeper)),
      recovery_(executor, store, parts(keeper)) {}

Parts Sessions::parts(keeper::KeeperClient& keeper) {
  return {.keeper = keeper,
          .terminals = terminals_,
          .rows = rows_,
          .histories = histories_,
          .closer = closer_,
          .follower = follower_,
          .names = names_,
          .logins = logins_,
          .watchers = watchers_,
          .settings = settings_};
}

awaitable<base::Status> Sessions::recover(UserId unknown_owner) {
  return recovery_.recover(std::move(unknown_owner));
}

awaitable<void> Sessions::stop() {
  rows_.stop();
  co_await recovery_.stop();
  co_await closer_.stop();
  co_await histories_.stop();
  for (auto& [key, entry] : terminals_)
    if (entry.terminal) co_await entry.terminal->stop();
  co_await histories_.save_last();
  rows_.save_all();
  rows_.stop();
  terminals_.clear();
}

void Sessions::child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit) {
  follower_.child_exited(id, exit);
}

awaitable<void> Sessions::look_again() {
  return recovery_.look_again();
}

void Sessions::set_hooks(Hooks hooks) {
  launcher_.set_before_create(std::move(hooks.before_create));
  before_close_ = std::move(hooks.before_close);
}

awaitable<base::Status> Sessions::close_session(Reach reach, std::string name, const Watcher* asker,
                                                Permit permit) {
  const auto row = names_.find_session(reach, name);
  if (!row) co_return base::fail(row.error());
  if (before_close_) co_await before_close_(*row);
  std::vector<std::string> ids;
  for (const auto& [key, entry] : terminals_.of(reach.user))
    if (entry->session.id == row->id && entry->stage() != Stage::closing)
      ids.push_back(entry->id.str());
  for (const std::string& id : ids) {
    auto closed = co_await closer_.close(reach, id, CloseReason::user_requested, nullptr, permit);
    if (!closed && closed.error().code != base::Code::not_found)
      co_return base::fail(closed.error());
  }
  co_return names_.remove_session(row->id, asker);
}

void Sessions::set_orphan_grace(std::chrono::milliseconds grace) {
  settings_.terminal.orphan_grace = grace;
  for (auto& [key, entry] : terminals_)
    if (entry.terminal) entry.terminal->set_orphan_grace(grace);
}

}  // namespace session
