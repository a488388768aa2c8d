// The part of Sessions that talks to the store, and the join of store and keeper at the start.

#include <algorithm>

#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "base/turn.h"
#include "session/label.h"
#include "session/sessions.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr std::chrono::milliseconds kFirstRetry{1000};
constexpr std::chrono::milliseconds kLongestRetry{60'000};

base::Status locked() {
  return base::fail(base::Code::busy, "the database is locked");
}

}  // namespace

awaitable<base::Status> Sessions::recover(UserId unknown_owner) {
  unknown_owner_ = std::move(unknown_owner);
  auto rows = store_.terminals();
  if (rows)
    for (TerminalRow& row : *rows) rows_.emplace(row.id.str(), std::move(row));
  else
    base::log(base::Level::error, "cannot read the terminals' names", {{"error", rows.error()}});
  learn_unsaved();
  learn_users();
  for (const auto& [user, name] : users_)
    if (auto sessions = store_.sessions(user))
      for (const SessionRow& row : *sessions) put_session(row);

  auto children = co_await keeper_.list();
  if (!children) co_return base::fail(children.error());
  std::set<std::string> alive;
  for (const keeper::ChildInfo& info : *children) {
    alive.insert(info.id.str());
    if (info.kind != keeper::Kind::terminal) continue;
    if (auto fits = check_account(info); !fits) co_return fits;
    if (info.state == keeper::State::closing) {
      // The last daemon was closing it. Nobody else knows about it.
      tasks_.spawn([this, id = info.id]() -> awaitable<void> { co_await keeper_.close(id); });
    } else if (auto adopted = co_await adopt(info); !adopted) {
      base::log(base::Level::error, "cannot take over a terminal",
                {{"terminal", info.id.str()}, {"error", adopted.error()}});
    }
  }
  offer_restorable(alive);
  is_recovered_ = true;
  if (!unsaved_.empty()) save_later(std::string(*unsaved_.begin()));
  begin_saving_histories();
  co_return base::Status{};
}

// With `user_accounts`, nobody may keep a shell that runs as the daemon's own account.
base::Status Sessions::check_account(const keeper::ChildInfo& info) const {
  if (!settings_.least_account || info.uid || info.exit) return {};
  return base::fail(
      base::Code::permission_denied,
      "terminal " + info.id.str() + " was started before user_accounts was on and runs as root",
      "Start the daemon without user_accounts and close it, or end everything with: "
      "holdfast stop --all");
}

void Sessions::learn_users() {
  auto users = store_.users();
  if (!users) return;
  for (const UserRow& user : *users) users_[user.id] = user.name;
}

// Empty if the store does not know.
std::string Sessions::user_name(const UserId& user) {
  if (!users_.contains(user)) learn_users();
  const auto known = users_.find(user);
  return known == users_.end() ? "" : known->second;
}

// If the store was lost, the new one has other ids for the same names. So fall back to the names.
void Sessions::take_label(Held& held, const Label& label) {
  held.user = label.user;
  held.session = {.id = label.session, .user = label.user, .name = label.session_name};
  held.lifetime = label.lifetime;
  held.origin = label.origin;
  if (!users_.contains(held.user) && !label.user_name.empty())
    if (auto user = store_.ensure_user(label.user_name)) held.user = user->id;
  if (const SessionRow* known = find_session(held.session.id)) {
    held.session = *known;
    return;
  }
  auto session = find_session(held.user, label.session_name);
  if (!session) session = create_session(held.user, label.session_name, SessionKind::interactive);
  if (session) held.session = *session;
}

Held Sessions::remembered(const keeper::ChildInfo& info) {
  Held held;
  held.key = TerminalId(info.id.str());
  held.id = held.key;
  held.created = info.created;
  held.command = info.argv;
  held.user = unknown_owner_;
  held.session.name = kDefaultSession;
  if (const auto label = parse_label(info.label)) {
    held.id = id_of_key(held.key, label->user);
    take_label(held, *label);
  }
  if (const auto row = rows_.find(info.id.str()); row != rows_.end()) {
    held.name = row->second.name;
    held.position = row->second.position;
    held.command = row->second.command;
    held.saved_directory = row->second.cwd;
  }
  return held;
}

awaitable<base::Status> Sessions::adopt(keeper::ChildInfo info) {
  const std::string id = info.id.str();
  // It was being restored when the connection broke, and the keeper did start it.
  if (const Held* known = terminals_.find(id); known != nullptr && known->restorable)
    terminals_.take_out(id);
  if (!terminals_.add(remembered(info))) co_return base::Status{};
  auto child = co_await keeper_.attach(info.id);
  if (!child) {
    terminals_.take_out(id);
    co_return base::fail(child.error());
  }
  std::optional<terminal::Preamble> preamble;
  if (terminals_.at(id).origin == Origin::restored) {
    preamble.emplace();
    // The last daemon died before it could show the history.
    if (!child->journal.checkpoints().latest())
      preamble = co_await preamble_of(TerminalId(id), child->journal.constants().cols, "");
  }
  Held& held = terminals_.at(id);
  follow(held, std::move(*child), std::move(preamble));
  if (held.early_exit) held.terminal->process_exited(*held.early_exit);
  if (held.terminal->exit()) held.exit_code = terminal::exit_code(*held.terminal->exit());
  // Its connection died with the last daemon.
  if (held.lifetime == Lifetime::connection) start_close(held, CloseReason::user_requested);
  co_return base::Status{};
}

// Called after a lost connection to the keeper. Exits in the meantime were not announced, and a new
// keeper knows nothing of the old one's terminals, which died with it.
awaitable<void> Sessions::look_again() {
  auto children = co_await keeper_.list();
  if (!children) co_return;
  std::set<std::string> alive;
  for (const keeper::ChildInfo& info : *children) {
    alive.insert(info.id.str());
    if (info.exit) child_exited(info.id, *info.exit);
  }
  // Hide all of them first: a client that reconnects must not find one that is dead.
  std::vector<std::string> lost;
  for (auto& [id, held] : terminals_) {
    if (!held.terminal || held.closing || alive.contains(id)) continue;
    held.closing = true;
    lost.push_back(id);
  }
  for (const std::string& id : lost) co_await forget_lost(id);
  // Terminals that were being created when the connection broke. The client was told that this
  // failed, but they exist.
  for (const keeper::ChildInfo& info : *children)
    if (info.kind == keeper::Kind::terminal && info.state != keeper::State::closing)
      if (auto adopted = co_await adopt(info); !adopted)
        base::log(base::Level::error, "cannot take over a terminal",
                  {{"terminal", info.id.str()}, {"error", adopted.error()}});
}

awaitable<void> Sessions::forget_lost(std::string id) {
  co_await save_history(id);
  base::log(base::Level::error, "the keeper died and took a terminal with it", {{"terminal", id}});
  Held& held = terminals_.at(id);
  TerminalRow left = row_of(held);
  const std::shared_ptr<terminal::Terminal> terminal = held.terminal;
  terminal->detach_viewers(terminal::Detached::closed);
  co_await terminal->stop();
  note(held, "lost");
  closed_.cancel();
  if (held.lifetime == Lifetime::connection) {
    tell(held.user, [&](Watcher& watcher) { watcher.terminal_closed(held, CloseReason::error); });
    terminals_.take_out(id);
    co_return save(id);
  }
  held.closing = false;
  held.terminal = nullptr;
  held.exit_code.reset();
  held.restorable = std::move(left);
  save(id);
  tell(held.user, [&](Watcher& watcher) { watcher.terminal_restorable(held); });
  drop_oldest_restorable(UserId(held.user));
}

// Each call to a locked store blocks the loop for a moment. So once it is locked, only the retry
// timer calls it, and stops at the first refusal.
void Sessions::save(const std::string& id) {
  if (store_is_locked_ || !try_to_save(id)) return save_later(id);
  if (unsaved_.erase(id) > 0) keep_unsaved();
}

void Sessions::save_later(const std::string& id) {
  unsaved_.insert(id);
  keep_unsaved();
  if (retry_pause_.count() != 0) return;
  retry_pause_ = kFirstRetry;
  save_again();
}

bool Sessions::try_to_save(const std::string& id) {
  const auto saved = write_row(id);
  store_is_locked_ = !saved && saved.error().code == base::Code::busy;
  if (!saved)
    base::log(base::Level::error, "cannot save a terminal's name and position; will retry",
              {{"terminal", id}, {"error", saved.error()}});
  return saved.has_value();
}

// Saves a few at a time and yields in between. Uses the current positions, which may have changed
// again since the call.
awaitable<void> Sessions::save_positions(std::vector<TerminalId> moved) {
  constexpr std::size_t kAtOnce = 5;
  base::Turn turn(executor_);
  for (std::span left(moved); !left.empty();) {
    co_await turn.next();
    const auto some = left.first(std::min(kAtOnce, left.size()));
    left = left.subspan(some.size());
    std::vector<std::pair<TerminalId, int>> positions;
    for (const TerminalId& key : some)
      if (const Held* held = terminals_.find(key.str()))
        positions.emplace_back(key, held->position);
    const base::Status saved = store_is_locked_ ? locked() : store_.set_positions(positions);
    if (saved) continue;
    store_is_locked_ = saved.error().code == base::Code::busy;
    for (const auto& [key, position] : positions) save_later(key.str());
  }
}

void Sessions::save_unsaved() {
  store_is_locked_ = false;
  for (const std::string& id : std::set<std::string>(unsaved_)) {
    if (try_to_save(id)) unsaved_.erase(id);
    if (store_is_locked_) break;
  }
  keep_unsaved();
}

// Reads what the last daemon could not save to the store.
void Sessions::learn_unsaved() {
  auto unsaved = unsaved_file_.read();
  if (!unsaved)
    return base::log(base::Level::error, "Cannot read the last daemon's unsaved changes",
                     {{"error", unsaved.error()}});
  for (TerminalRow& row : unsaved->rows) {
    unsaved_.insert(row.id.str());
    rows_.insert_or_assign(row.id.str(), std::move(row));
  }
  for (const TerminalId& id : unsaved->removed) {
    unsaved_.insert(id.str());
    rows_.erase(id.str());
  }
}

void Sessions::keep_unsaved() {
  if (!is_recovered_) return;  // Do not overwrite the last daemon's file yet.
  Unsaved unsaved;
  for (const std::string& id : unsaved_) {
    const Held* const held = terminals_.find(id);
    if (held == nullptr)
      unsaved.removed.emplace_back(id);
    else if (is_listed(*held))
      unsaved.rows.push_back(row_of(*held));
  }
  if (auto kept = unsaved_file_.write(unsaved); !kept)
    base::log(base::Level::error, "Cannot write unsaved changes; they are lost if the daemon ends",
              {{"error", kept.error()}});
}

void Sessions::save_again() {
  retry_.expires_after(retry_pause_);
  retry_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    save_unsaved();
    retry_pause_ =
        unsaved_.empty() ? std::chrono::milliseconds(0) : std::min(2 * retry_pause_, kLongestRetry);
    if (!unsaved_.empty()) save_again();
  });
}

void Sessions::save_all() {
  for (const auto& [id, held] : terminals_) unsaved_.insert(id);
  save_unsaved();
}

base::Status Sessions::write_row(const std::string& id) {
  Held* const found = terminals_.find(id);
  if (found == nullptr) return store_.remove_terminal(TerminalId(id));
  Held& held = *found;
  if (held.lifetime == Lifetime::connection || (!held.terminal && !held.restorable)) return {};
  const TerminalRow row = row_of(held);
  held.saved_directory = row.cwd;
  return store_.save_terminal(row);
}

TerminalRow Sessions::row_of(const Held& held) const {
  TerminalRow row = held.restorable.value_or(TerminalRow());
  row.id = held.key;
  row.session = held.session.id;
  row.name = held.name;
  row.position = held.position;
  if (!held.terminal) return row;
  const vt::Size size = held.terminal->screen().size();
  row.cwd = held.terminal->working_directory();
  if (row.cwd.empty()) row.cwd = held.saved_directory;  // Unknown once the process has ended.
  row.command = held.command;
  row.rows = static_cast<std::uint16_t>(size.rows);
  row.cols = static_cast<std::uint16_t>(size.cols);
  row.created = held.created;
  row.last_activity = held.terminal->last_activity();
  row.exit = held.exit_code;
  return row;
}

void Sessions::note(const Held& held, std::string_view event, std::string detail) {
  LogEntry entry{.user = held.user,
                 .session = held.session.id,
                 .subject = held.id.str(),
                 .event = std::string(event),
                 .detail = std::move(detail)};
  const base::Status noted = store_is_locked_ ? locked() : store_.append_log(entry);
  if (noted) return;
  store_is_locked_ = noted.error().code == base::Code::busy;
  base::log(base::Level::warning, "cannot write the lifecycle log",
            {{"terminal", held.id.str()}, {"event", event}, {"error", noted.error()}});
}

}  // namespace session
