#include "session/names.h"

#include <algorithm>
#include <ranges>

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

// --- sessions ---

std::vector<SessionRow> Names::sessions(const Reach& reach) const {
  std::vector<SessionRow> mine;
  const auto also = reach.scope.bounds ? seen(reach) : std::set<SessionId>();
  for (const auto& [key, row] : part_of(sessions_, reach.user))
    if (reach.has(row) || also.contains(row.id)) mine.push_back(row);
  std::ranges::sort(mine, {},
                    [](const SessionRow& row) { return std::tie(row.created, row.name); });
  return mine;
}

std::vector<SessionRow> Names::all_sessions() const {
  std::vector<SessionRow> all;
  for (const auto& [key, row] : sessions_) all.push_back(row);
  return all;
}

const SessionRow* Names::find_session(const SessionId& id) const {
  const auto key = keys_.find(id);
  return key == keys_.end() ? nullptr : &sessions_.at(key->second);
}

void Names::put(const SessionRow& row) {
  const std::pair key(row.user, row.name);
  sessions_.insert_or_assign(key, row);
  keys_.insert_or_assign(row.id, key);
}

void Names::drop(const SessionRow& row) {
  sessions_.erase({row.user, row.name});
  keys_.erase(row.id);
}

void Names::learn_sessions(const UserId& user) {
  if (auto sessions = store_.sessions(user))
    for (const SessionRow& row : *sessions) put(row);
}

std::set<SessionId> Names::seen(const Reach& reach) const {
  std::set<SessionId> all;
  for (const TerminalEntry* entry : terminals_.living_or_restorable(reach))
    all.insert(entry->session.id);
  return all;
}

base::Result<SessionRow> Names::find_session(const Reach& reach, const std::string& name) const {
  const auto known = sessions_.find({reach.user, name});
  if (known != sessions_.end() && reach.has(known->second)) return known->second;
  return base::fail(base::Code::not_found, "there is no session " + name);
}

base::Result<SessionRow> Names::find_or_default(const Reach& reach, const std::string& name) {
  auto known = find_session(reach, name);
  if (known || name != kDefaultSession || reach.scope.bounds) return known;
  return create_session(reach, name, SessionKind::interactive);
}

base::Result<SessionRow> Names::find_seen(const Reach& reach, const std::string& name) {
  const auto known = sessions_.find({reach.user, name});
  if (known != sessions_.end() && reach.scope.bounds && seen(reach).contains(known->second.id))
    return known->second;
  return find_or_default(reach, name);
}

std::string Names::home(const Reach& reach) const {
  if (!reach.scope.bounds || find_session(reach, std::string(kDefaultSession)))
    return std::string(kDefaultSession);
  const auto mine = sessions(reach);
  return mine.empty() ? std::string(kDefaultSession) : mine.front().name;
}

base::Result<SessionRow> Names::create_session(const Reach& reach, const std::string& name,
                                               SessionKind kind, const std::string& cwd,
                                               std::optional<Isolation> isolation,
                                               const Watcher* asker) {
  if (auto allowed = reach.may_create_sessions(); !allowed) return base::fail(allowed.error());
  const UserId& user = reach.user;
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
  put(*row);
  watchers_.tell(*row, asker, [&](Watcher& watcher) { watcher.session_created(*row); });
  return row;
}

base::Status Names::rename_session(const Reach& reach, const std::string& name,
                                   const std::string& new_name, const Watcher* asker) {
  const UserId& user = reach.user;
  auto row = find_session(reach, name);
  if (!row) return base::fail(row.error());
  if (sessions_.contains({user, new_name}))
    return base::fail(base::Code::already_exists, "session " + new_name + " already exists");
  if (auto renamed = store_.rename_session(row->id, new_name); !renamed) return renamed;
  drop(*row);
  row->name = new_name;
  put(*row);
  for (const auto& [key, entry] : terminals_.of(user))
    if (entry->session.id == row->id) entry->session.name = new_name;
  watchers_.tell(*row, asker, [&](Watcher& watcher) { watcher.session_renamed(*row, name); });
  return {};
}

base::Status Names::remove_session(const SessionId& id, const Watcher* asker) {
  const SessionRow* const known = find_session(id);
  if (known == nullptr) return {};
  const SessionRow session = *known;
  if (auto removed = store_.remove_session(id); !removed) return removed;
  drop(session);
  watchers_.tell(session, asker, [&](Watcher& watcher) { watcher.session_closed(session); });
  return {};
}

// --- terminals ---

base::Result<const TerminalEntry*> Names::rename(const Reach& reach, std::string_view id,
                                                 std::string name, const Watcher* asker) {
  auto entry = terminals_.find_living_or_restorable(reach, id);
  if (!entry) return base::fail(entry.error());
  (*entry)->name = name.empty() ? std::nullopt : std::optional(std::move(name));
  rows_.save((*entry)->key.str());
  watchers_.tell(**entry, asker, [&](Watcher& watcher) { watcher.terminal_renamed(**entry); });
  return *entry;
}

awaitable<base::Status> Names::reorder(Reach reach, std::vector<std::string> ids,
                                       const Watcher* asker) {
  std::vector<TerminalEntry*> theirs;
  std::set<const TerminalEntry*> placed;
  for (const std::string& id : ids) {
    auto entry = terminals_.find_living_or_restorable(reach, id);
    if (!entry) co_return base::fail(entry.error());
    if (is_listed(**entry) && placed.insert(*entry).second) theirs.push_back(*entry);
  }
  for (const TerminalEntry* entry : terminals_.living_or_restorable(reach))
    if (!placed.contains(entry)) theirs.push_back(&terminals_.at(entry->key.str()));
  std::vector<TerminalId> moved;
  int place = 0;
  for (auto next = theirs.begin();
       const TerminalEntry* each : terminals_.living_or_restorable(reach.user)) {
    TerminalEntry& entry = reach.has(*each) ? **next++ : terminals_.at(each->key.str());
    if (std::exchange(entry.position, place) != place) moved.push_back(entry.key);
    ++place;
  }
  co_await rows_.save_positions(std::move(moved));
  watchers_.tell_order(reach.user, asker, terminals_.living_or_restorable(reach.user));
  co_return base::Status{};
}

}  // namespace session
