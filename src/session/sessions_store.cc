// The part of Sessions that talks to the store, and the join of store and keeper at the start.

#include <algorithm>

#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "session/label.h"
#include "session/sessions.h"
#include "terminal/drain.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr std::chrono::milliseconds kFirstRetry{1000};
constexpr std::chrono::milliseconds kLongestRetry{60'000};

}  // namespace

awaitable<base::Status> Sessions::recover(UserId unknown_owner) {
  auto rows = store_.terminals();
  if (rows)
    for (TerminalRow& row : *rows) rows_.emplace(row.id.str(), std::move(row));
  else
    base::log(base::Level::error, "the terminals' names cannot be read", {{"error", rows.error()}});
  if (auto users = store_.users())
    for (const UserRow& user : *users)
      if (auto sessions = store_.sessions(user.id))
        for (const SessionRow& row : *sessions)
          sessions_.emplace(std::pair(user.id, row.name), row);

  auto children = co_await keeper_.list();
  if (!children) co_return base::fail(children.error());
  for (const terminal::ChildInfo& info : *children) {
    if (info.kind != keeper::Kind::terminal) {
      tasks_.spawn([this, id = info.id]() -> awaitable<void> { co_await drain(id); });
    } else if (info.state == keeper::State::closing) {
      // The last daemon was about to close it; nobody else knows of it any more.
      tasks_.spawn([this, id = info.id]() -> awaitable<void> { co_await keeper_.close(id); });
    } else if (auto adopted = co_await adopt(info, unknown_owner); !adopted) {
      base::log(base::Level::error, "a terminal cannot be taken over",
                {{"terminal", info.id.str()}, {"error", adopted.error()}});
    }
  }
  co_return base::Status{};
}

awaitable<void> Sessions::drain(terminal::ChildId process) {
  auto child = co_await keeper_.attach(process);
  if (child) co_await terminal::drain(std::make_shared<terminal::AttachedChild>(std::move(*child)));
}

Held Sessions::remembered(const terminal::ChildInfo& info, const UserId& unknown_owner) const {
  Held held;
  held.id = TerminalId(info.id.str());
  held.created = info.created;
  held.command = info.argv;
  held.user = unknown_owner;
  held.session.name = kDefaultSession;
  if (const auto label = parse_label(info.label)) {
    held.user = label->user;
    held.session = {.id = label->session, .user = label->user, .name = label->session_name};
    held.lifetime = label->lifetime;
  }
  for (const auto& [key, session] : sessions_)
    if (session.id == held.session.id) held.session = session;
  if (const auto row = rows_.find(info.id.str()); row != rows_.end()) {
    held.name = row->second.name;
    held.position = row->second.position;
    held.command = row->second.command;
  }
  return held;
}

awaitable<base::Status> Sessions::adopt(terminal::ChildInfo info, const UserId& unknown_owner) {
  const std::string id = info.id.str();
  if (!terminals_.emplace(id, remembered(info, unknown_owner)).second) co_return base::Status{};
  auto child = co_await keeper_.attach(info.id);
  if (!child) {
    terminals_.erase(id);
    co_return base::fail(child.error());
  }
  Held& held = terminals_.at(id);
  follow(held, std::move(*child));
  if (held.early_exit) held.terminal->process_exited(*held.early_exit);
  if (held.terminal->exit()) held.exit_code = terminal::exit_code(*held.terminal->exit());
  // Its connection died with the last daemon.
  if (held.lifetime == Lifetime::connection) start_close(held, CloseReason::user_requested);
  co_return base::Status{};
}

// After a lost connection to the keeper: what ended meanwhile was not announced, and a new keeper
// knows nothing of the old one's terminals, which ended with it.
awaitable<void> Sessions::look_again() {
  auto children = co_await keeper_.list();
  if (!children) co_return;
  std::set<std::string> alive;
  for (const terminal::ChildInfo& info : *children) {
    alive.insert(info.id.str());
    if (info.exit) child_exited(info.id, *info.exit);
  }
  std::vector<std::string> lost;
  for (const auto& [id, held] : terminals_)
    if (held.terminal && !held.closing && !alive.contains(id)) lost.push_back(id);
  for (const std::string& id : lost) co_await forget_lost(id);
}

awaitable<void> Sessions::forget_lost(std::string id) {
  const auto found = terminals_.find(id);
  if (found == terminals_.end()) co_return;
  base::log(base::Level::error, "a terminal was lost with its keeper", {{"terminal", id}});
  const Held gone = std::move(found->second);
  terminals_.erase(found);
  gone.terminal->detach_viewers(terminal::Detached::closed);
  co_await gone.terminal->stop();
  save(id);
  note(gone, "lost");
  tell(gone.user, [&](Watcher& watcher) { watcher.terminal_closed(gone, CloseReason::error); });
}

void Sessions::save(const std::string& id) {
  if (auto saved = write_row(id); saved) {
    unsaved_.erase(id);
    return;
  } else {
    base::log(base::Level::error, "a terminal's name and place cannot be saved; trying again",
              {{"terminal", id}, {"error", saved.error()}});
  }
  unsaved_.insert(id);
  if (retry_pause_.count() != 0) return;
  retry_pause_ = kFirstRetry;
  save_again();
}

void Sessions::save_again() {
  retry_.expires_after(retry_pause_);
  retry_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    std::erase_if(unsaved_, [this](const std::string& id) { return write_row(id).has_value(); });
    retry_pause_ =
        unsaved_.empty() ? std::chrono::milliseconds(0) : std::min(2 * retry_pause_, kLongestRetry);
    if (!unsaved_.empty()) save_again();
  });
}

base::Status Sessions::write_row(const std::string& id) {
  const auto found = terminals_.find(id);
  if (found == terminals_.end()) return store_.remove_terminal(TerminalId(id));
  const Held& held = found->second;
  if (held.lifetime == Lifetime::connection) return {};
  const vt::Size size = held.terminal->screen().size();
  return store_.save_terminal({.id = held.id,
                               .session = held.session.id,
                               .name = held.name,
                               .position = held.position,
                               .cwd = held.terminal->working_directory(),
                               .command = held.command,
                               .rows = static_cast<std::uint16_t>(size.rows),
                               .cols = static_cast<std::uint16_t>(size.cols),
                               .created = held.created,
                               .last_activity = held.terminal->last_activity(),
                               .exit = held.exit_code});
}

void Sessions::note(const Held& held, std::string_view event, std::string detail) {
  LogEntry entry{.user = held.user,
                 .session = held.session.id,
                 .subject = held.id.str(),
                 .event = std::string(event),
                 .detail = std::move(detail)};
  if (auto noted = store_.append_log(entry); !noted)
    base::log(base::Level::warning, "the lifecycle log cannot be written",
              {{"terminal", held.id.str()}, {"event", event}, {"error", noted.error()}});
}

}  // namespace session
