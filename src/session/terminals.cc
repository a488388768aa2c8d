#include "session/terminals.h"

#include <algorithm>
#include <cassert>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "base/turn.h"

namespace session {

namespace asio = boost::asio;
using asio::awaitable;

// --- by key ---

bool Terminals::add(TerminalEntry entry) {
  const std::string key = entry.key.str();
  const auto [place, is_new] = all_.try_emplace(key, std::move(entry));
  if (is_new) by_user_[place->second.user].emplace(key, &place->second);
  return is_new;
}

Terminals::Map::node_type Terminals::take_out(const std::string& key) {
  Map::node_type taken = all_.extract(key);
  if (taken.empty()) return taken;
  const auto theirs = by_user_.find(taken.mapped().user);
  theirs->second.erase(key);
  if (theirs->second.empty()) by_user_.erase(theirs);
  changed_.notify();
  return taken;
}

void Terminals::put_back(Map::node_type entry) {
  TerminalEntry& here = all_.insert(std::move(entry)).position->second;
  by_user_[here.user].emplace(here.key.str(), &here);
}

void Terminals::clear() {
  by_user_.clear();
  all_.clear();
}

TerminalEntry* Terminals::find(std::string_view key) {
  const auto found = all_.find(key);
  return found == all_.end() ? nullptr : &found->second;
}

const TerminalEntry* Terminals::find(std::string_view key) const {
  const auto found = all_.find(key);
  return found == all_.end() ? nullptr : &found->second;
}

const Terminals::UserTerminals& Terminals::of(const UserId& user) const {
  static const UserTerminals kNone;
  const auto found = by_user_.find(user);
  return found == by_user_.end() ? kNone : found->second;
}

void Terminals::enter(TerminalEntry& entry, Stage next) {
  if (!may_follow(entry.stage_, next)) {
    base::log(
        base::Level::error, "a terminal changed its stage in an order that is not allowed",
        {{"terminal", entry.key.str()}, {"from", name_of(entry.stage_)}, {"to", name_of(next)}});
    assert(false && "an illegal change of stage");
  }
  entry.stage_ = next;
  changed_.notify();
}

awaitable<base::Status> Terminals::while_in(std::string key, Stage stage) {
  for (;;) {
    const TerminalEntry* const entry = find(key);
    if (entry == nullptr || entry->stage() != stage) co_return base::Status{};
    co_await changed_.wait();
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
      co_return base::fail(base::Code::unavailable, "the daemon is stopping");
  }
}

// --- by user and id ---

std::string Terminals::key_of(const UserId& user, std::string_view id) const {
  const TerminalEntry* const found = find(id);
  if (found != nullptr && found->user == user) return std::string(id);
  std::string scoped = scoped_key(user, id);
  const bool is_taken = found != nullptr || find(scoped) != nullptr;
  return is_taken ? scoped : std::string(id);
}

base::Result<TerminalEntry*> Terminals::find(const Reach& reach, std::string_view id) {
  TerminalEntry* const entry = find(key_of(reach.user, id));
  if (entry != nullptr && entry->is_alive() && reach.has(*entry)) return entry;
  return base::fail(base::Code::not_found, "there is no terminal " + std::string(id));
}

base::Result<TerminalEntry*> Terminals::find_living_or_restorable(const Reach& reach,
                                                                  std::string_view id) {
  TerminalEntry* const entry = find(key_of(reach.user, id));
  if (entry != nullptr && entry->stage() == Stage::restorable && reach.has(*entry)) return entry;
  return find(reach, id);
}

std::vector<const TerminalEntry*> Terminals::living(const Reach& reach) const {
  std::vector<const TerminalEntry*> terminals = living_or_restorable(reach);
  std::erase_if(terminals,
                [](const TerminalEntry* entry) { return entry->stage() == Stage::restorable; });
  return terminals;
}

std::vector<const TerminalEntry*> Terminals::living_or_restorable(const Reach& reach) const {
  std::vector<const TerminalEntry*> mine;
  for (const auto& [key, entry] : of(reach.user))
    if (is_listed(*entry) && reach.has(*entry)) mine.push_back(entry);
  std::ranges::sort(
      mine, {}, [](const TerminalEntry* entry) { return std::tie(entry->position, entry->id); });
  return mine;
}

int Terminals::next_position(const UserId& user) const {
  int next = 0;
  for (const auto& [key, entry] : of(user))
    if (is_listed(*entry)) next = std::max(next, entry->position + 1);
  return next;
}

awaitable<Activities> Terminals::activities(Reach reach, std::optional<std::string> session) {
  std::vector<std::string> keys;
  for (const TerminalEntry* entry : living(reach))
    if (!session || *session == entry->session.name) keys.push_back(entry->key.str());
  Activities activities;
  base::Turn turn(executor_);
  for (const std::string& key : keys) {
    const TerminalEntry* const entry = find(key);
    if (entry != nullptr && entry->terminal) activities.emplace(key, entry->terminal->activity());
    if (turn.is_over()) co_await turn.next();
  }
  if (!keys.empty())
    co_await turn.next();  // The caller's work with the result gets a turn of its own.
  co_return activities;
}

std::map<SessionId, Terminals::Count> Terminals::count(const Reach& reach) const {
  std::map<SessionId, Count> counts;
  for (const auto& [key, entry] : of(reach.user)) {
    if (!is_listed(*entry) || !reach.has(*entry)) continue;
    Count& count = counts[entry->session.id];
    ++(entry->stage() == Stage::restorable ? count.restorable : count.living);
  }
  return counts;
}

Counts Terminals::counts() const {
  Counts counts;
  for (const auto& [key, entry] : all_) {
    if (!entry.is_alive()) continue;
    counts.viewers += entry.terminal->audience().size();
    if (entry.stage() == Stage::exited)
      ++counts.exited;
    else
      ++(entry.terminal->audience().size() > 0 ? counts.active : counts.orphaned);
  }
  return counts;
}

}  // namespace session
