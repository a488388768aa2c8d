// The part of Sessions that creates, renames and closes sessions by name.

#include <algorithm>
#include <ranges>

#include "base/log.h"
#include "session/sessions.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

// A user's part of a map whose keys begin with the user.
template <class Map>
auto part_of(const Map& map, const UserId& user) {
  const auto first = map.lower_bound({user, ""});
  const auto is_theirs = [&](const auto& each) { return each.first.first == user; };
  return std::ranges::subrange(first, std::find_if_not(first, map.end(), is_theirs));
}

}  // namespace

std::vector<SessionRow> Sessions::sessions(const UserId& user) const {
  std::vector<SessionRow> mine;
  for (const auto& [key, row] : part_of(sessions_, user)) mine.push_back(row);
  std::ranges::sort(mine, {},
                    [](const SessionRow& row) { return std::tie(row.created, row.name); });
  return mine;
}

std::vector<SessionRow> Sessions::all_sessions() const {
  std::vector<SessionRow> all;
  for (const auto& [key, row] : sessions_) all.push_back(row);
  return all;
}

const SessionRow* Sessions::find_session(const SessionId& id) const {
  const auto key = session_keys_.find(id);
  return key == session_keys_.end() ? nullptr : &sessions_.at(key->second);
}

void Sessions::put_session(const SessionRow& row) {
  const std::pair key(row.user, row.name);
  sessions_.insert_or_assign(key, row);
  session_keys_.insert_or_assign(row.id, key);
}

void Sessions::drop_session(const SessionRow& row) {
  sessions_.erase({row.user, row.name});
  session_keys_.erase(row.id);
}

std::string Sessions::directory_of(const SessionRow& session) {
  if (!session.cwd.empty()) return session.cwd;
  const auto login = login_of(session.user);
  return login ? login->home : "/";
}

base::Result<Login> Sessions::login_of(const UserId& user) {
  auto login = settings_.least_account ? login_of_account(user_name(user), *settings_.least_account,
                                                          settings_.environment)
                                       : Login{.confinement = {},
                                               .home = settings_.home,
                                               .shell = settings_.shell,
                                               .environment = settings_.environment};
  if (login) login->confinement.limits = settings_.limits;
  return login;
}

std::map<SessionId, Sessions::Count> Sessions::count_terminals(const UserId& user) const {
  std::map<SessionId, Count> counts;
  for (const auto& [key, held] : terminals_.of(user)) {
    if (!is_listed(*held)) continue;
    Count& count = counts[held->session.id];
    ++(held->restorable ? count.restorable : count.living);
  }
  return counts;
}

// Creates the default session when it is first needed.
base::Result<SessionRow> Sessions::find_session(const UserId& user, const std::string& name) {
  const auto known = sessions_.find({user, name});
  if (known != sessions_.end()) return known->second;
  if (name == kDefaultSession) return create_session(user, name, SessionKind::interactive);
  return base::fail(base::Code::not_found, "there is no session " + name);
}

base::Result<SessionRow> Sessions::create_session(const UserId& user, const std::string& name,
                                                  SessionKind kind, const std::string& cwd,
                                                  std::optional<Isolation> isolation) {
  if (sessions_.contains({user, name}))
    return base::fail(base::Code::already_exists, "session " + name + " already exists");
  const auto theirs = std::ranges::distance(part_of(sessions_, user));
  if (static_cast<std::size_t>(theirs) >= settings_.user_sessions)
    return base::fail(base::Code::too_large,
                      "too many sessions: the limit is " + std::to_string(settings_.user_sessions) +
                          " per user (user_session_limit)",
                      "Close one first.");
  auto row = store_.ensure_session(user, name, kind, cwd, isolation);
  if (!row) return base::fail(row.error());
  put_session(*row);
  tell(user, [&](Watcher& watcher) { watcher.session_created(*row); });
  return row;
}

base::Status Sessions::rename_session(const UserId& user, const std::string& name,
                                      const std::string& new_name) {
  const auto known = sessions_.find({user, name});
  if (known == sessions_.end())
    return base::fail(base::Code::not_found, "there is no session " + name);
  if (sessions_.contains({user, new_name}))
    return base::fail(base::Code::already_exists, "session " + new_name + " already exists");
  if (auto renamed = store_.rename_session(known->second.id, new_name); !renamed) return renamed;
  SessionRow row = known->second;
  drop_session(row);
  row.name = new_name;
  put_session(row);
  for (const auto& [key, held] : terminals_.of(user))
    if (held->session.id == row.id) held->session.name = new_name;
  tell(user, [&](Watcher& watcher) { watcher.session_renamed(row, name); });
  return {};
}

awaitable<base::Status> Sessions::close_session(UserId user, std::string name, Permit permit) {
  const auto known = sessions_.find({user, name});
  if (known == sessions_.end())
    co_return base::fail(base::Code::not_found, "there is no session " + name);
  const SessionRow row = known->second;
  if (hooks_.before_close) co_await hooks_.before_close(row);
  std::vector<std::string> ids;
  for (const auto& [key, held] : terminals_.of(user))
    if (held->session.id == row.id && !held->closing) ids.push_back(held->id.str());
  for (const std::string& id : ids) {
    auto closed = co_await close(user, id, CloseReason::user_requested, permit);
    if (!closed && closed.error().code != base::Code::not_found) co_return closed;
  }
  if (auto removed = store_.remove_session(row.id); !removed) co_return removed;
  drop_session(row);
  tell(user, [&](Watcher& watcher) { watcher.session_closed(row); });
  co_return base::Status{};
}

}  // namespace session
