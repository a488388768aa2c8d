#include "session/recovery.h"

#include <algorithm>
#include <vector>

#include "base/log.h"
#include "session/label.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

awaitable<void> Recovery::stop() {
  tasks_.cancel();
  co_await tasks_.join();
}

// --- when the daemon starts ---

awaitable<base::Status> Recovery::recover(UserId unknown_owner) {
  unknown_owner_ = std::move(unknown_owner);
  learn_from_store();
  auto children = co_await parts_.keeper.list();
  if (!children) co_return base::fail(children.error());
  std::set<std::string> alive;
  for (const keeper::ChildInfo& info : *children) {
    alive.insert(info.id.str());
    if (info.kind != keeper::Kind::terminal) continue;
    if (auto fits = check_account(info); !fits) co_return fits;
    if (info.state == keeper::State::closing)
      // The last daemon was closing it. Nobody else knows about it.
      tasks_.spawn([this, id = info.id]() -> awaitable<void> { co_await parts_.keeper.close(id); });
    else
      co_await adopt_or_log(info);
  }
  offer_restorable(alive);
  parts_.rows.begin();
  parts_.histories.begin(store_.recovered_from() ? UnknownFiles::keep : UnknownFiles::remove);
  co_return base::Status{};
}

void Recovery::learn_from_store() {
  auto rows = store_.terminals();
  if (rows)
    for (TerminalRow& row : *rows) known_.emplace(row.id.str(), std::move(row));
  else
    base::log(base::Level::error, "cannot read the terminals' names", {{"error", rows.error()}});
  parts_.rows.learn_unsaved(known_);
  parts_.logins.learn_users();
  for (const auto& [user, name] : parts_.logins.users()) parts_.names.learn_sessions(user);
}

// With `user_accounts`, nobody may keep a shell that runs as the daemon's own account.
base::Status Recovery::check_account(const keeper::ChildInfo& info) const {
  if (!parts_.settings.least_account || info.uid || info.exit) return {};
  return base::fail(
      base::Code::permission_denied,
      "terminal " + info.id.str() + " was started before user_accounts was on and runs as root",
      "Start the daemon without user_accounts and close it, or end everything with: "
      "holdfast stop --all");
}

void Recovery::offer_restorable(const std::set<std::string>& alive) {
  std::set<UserId> owners;
  for (const auto& [key, row] : known_) {
    if (alive.contains(key) || parts_.terminals.find(key) != nullptr) continue;
    const SessionRow* session = parts_.names.find_session(row.session);
    if (session == nullptr) continue;
    TerminalEntry entry(Stage::restorable);
    entry.key = row.id;
    entry.id = id_of_key(row.id, session->user);
    entry.user = session->user;
    entry.session = *session;
    entry.name = row.name;
    entry.position = row.position;
    entry.created = row.created;
    entry.command = row.command;
    entry.saved = row;
    owners.insert(entry.user);
    parts_.terminals.add(std::move(entry));
  }
  for (const UserId& owner : owners) parts_.closer.drop_oldest_restorable(owner);
  const auto count = std::ranges::count_if(
      parts_.terminals, [](const auto& each) { return each.second.stage() == Stage::restorable; });
  if (count > 0) base::log(base::Level::info, "found restorable terminals", {{"terminals", count}});
}

// --- what lives ---

awaitable<void> Recovery::adopt_or_log(keeper::ChildInfo info) {
  const std::string key = info.id.str();
  if (auto adopted = co_await adopt(std::move(info)); !adopted)
    base::log(base::Level::error, "cannot take over a terminal",
              {{"terminal", key}, {"error", adopted.error()}});
}

awaitable<base::Status> Recovery::adopt(keeper::ChildInfo info) {
  const std::string key = info.id.str();
  // It was being restored when the connection broke, and the keeper did start it.
  if (const TerminalEntry* known = parts_.terminals.find(key);
      known != nullptr && known->stage() == Stage::restorable)
    parts_.terminals.take_out(key);
  if (!parts_.terminals.add(remembered(info))) co_return base::Status{};
  auto child = co_await parts_.keeper.attach(info.id);
  if (!child) {
    parts_.terminals.take_out(key);
    co_return base::fail(child.error());
  }
  std::optional<terminal::Preamble> preamble;
  if (parts_.terminals.at(key).origin == Origin::restored) {
    preamble.emplace();
    // The last daemon died before it could show the history.
    if (!child->journal.checkpoints().latest())
      preamble = co_await parts_.histories.preamble_of(TerminalId(key),
                                                       child->journal.constants().cols, "");
  }
  TerminalEntry& entry = parts_.terminals.at(key);
  parts_.follower.follow(entry, std::move(*child), std::move(preamble));
  parts_.follower.take_over_exit(entry);
  // Its connection died with the last daemon.
  if (entry.lifetime == Lifetime::connection)
    parts_.closer.start_close(entry, CloseReason::user_requested);
  co_return base::Status{};
}

TerminalEntry Recovery::remembered(const keeper::ChildInfo& info) {
  TerminalEntry entry;
  entry.key = TerminalId(info.id.str());
  entry.id = entry.key;
  entry.created = info.created;
  entry.command = info.argv;
  entry.user = unknown_owner_;
  entry.session.name = kDefaultSession;
  if (const auto label = parse_label(info.label)) {
    entry.id = id_of_key(entry.key, label->user);
    take_label(entry, *label);
  }
  if (const auto row = known_.find(info.id.str()); row != known_.end()) {
    entry.name = row->second.name;
    entry.position = row->second.position;
    entry.command = row->second.command;
    entry.saved_directory = row->second.cwd;
  }
  return entry;
}

// If the store was lost, the new one has other ids for the same names. So fall back to the names.
void Recovery::take_label(TerminalEntry& entry, const Label& label) {
  entry.user = label.user;
  entry.session = {.id = label.session, .user = label.user, .name = label.session_name};
  entry.lifetime = label.lifetime;
  entry.origin = label.origin;
  if (!parts_.logins.users().contains(entry.user) && !label.user_name.empty())
    if (auto user = store_.ensure_user(label.user_name)) entry.user = user->id;
  if (const SessionRow* known = parts_.names.find_session(entry.session.id)) {
    entry.session = *known;
    return;
  }
  auto session = parts_.names.find_or_default(entry.user, label.session_name);
  if (!session)
    session = parts_.names.create_session(entry.user, label.session_name, SessionKind::interactive);
  if (session) entry.session = *session;
}

// --- after a lost connection ---

awaitable<void> Recovery::look_again() {
  auto children = co_await parts_.keeper.list();
  if (!children) co_return;
  std::set<std::string> alive;
  for (const keeper::ChildInfo& info : *children) {
    alive.insert(info.id.str());
    if (info.exit) parts_.follower.child_exited(info.id, *info.exit);
  }
  std::vector<std::string> lost;
  for (auto& [key, entry] : parts_.terminals) {
    if (!entry.is_alive() || alive.contains(key)) continue;
    parts_.terminals.enter(entry, Stage::closing);
    lost.push_back(key);
  }
  for (const std::string& key : lost) co_await forget_lost(key);
  // Terminals that were being created when the connection broke. The client got an error, but they
  // exist.
  for (const keeper::ChildInfo& info : *children)
    if (info.kind == keeper::Kind::terminal && info.state != keeper::State::closing)
      co_await adopt_or_log(info);
}

awaitable<void> Recovery::forget_lost(std::string key) {
  co_await parts_.histories.save(key);
  base::log(base::Level::error, "the keeper died and took a terminal with it", {{"terminal", key}});
  TerminalEntry& entry = parts_.terminals.at(key);
  TerminalRow left = row_of(entry);
  const std::shared_ptr<terminal::Terminal> terminal = entry.terminal;
  terminal->audience().let_go_all(terminal::Detached::closed);
  co_await terminal->stop();
  parts_.rows.note(entry, "lost");
  if (entry.lifetime == Lifetime::connection) {
    parts_.watchers.tell(entry, nullptr, [&](Watcher& watcher) {
      watcher.terminal_closed(entry, CloseReason::error);
    });
    parts_.terminals.take_out(key);
    co_return parts_.rows.save(key);
  }
  entry.terminal = nullptr;
  entry.exit_code.reset();
  entry.saved = std::move(left);
  parts_.terminals.enter(entry, Stage::restorable);
  parts_.rows.save(key);
  parts_.watchers.tell(entry, nullptr,
                       [&](Watcher& watcher) { watcher.terminal_restorable(entry); });
  parts_.closer.drop_oldest_restorable(UserId(entry.user));
}

}  // namespace session
