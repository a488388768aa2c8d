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

bool Terminals::add(Held held) {
  const std::string key = held.key.str();
  const auto [place, is_new] = all_.try_emplace(key, std::move(held));
  if (is_new) by_user_[place->second.user].emplace(key, &place->second);
  return is_new;
}

Terminals::Map::node_type Terminals::take_out(const std::string& key) {
  Map::node_type taken = all_.extract(key);
  if (taken.empty()) return taken;
  const auto theirs = by_user_.find(taken.mapped().user);
  theirs->second.erase(key);
  if (theirs->second.empty()) by_user_.erase(theirs);
  changed_.cancel();
  return taken;
}

void Terminals::put_back(Map::node_type held) {
  Held& here = all_.insert(std::move(held)).position->second;
  by_user_[here.user].emplace(here.key.str(), &here);
}

void Terminals::clear() {
  by_user_.clear();
  all_.clear();
}

Held* Terminals::find(std::string_view key) {
  const auto found = all_.find(key);
  return found == all_.end() ? nullptr : &found->second;
}

const Held* Terminals::find(std::string_view key) const {
  const auto found = all_.find(key);
  return found == all_.end() ? nullptr : &found->second;
}

const Terminals::Theirs& Terminals::of(const UserId& user) const {
  static const Theirs kNone;
  const auto found = by_user_.find(user);
  return found == by_user_.end() ? kNone : found->second;
}

void Terminals::enter(Held& held, Stage next) {
  if (!may_follow(held.stage_, next)) {
    base::log(
        base::Level::error, "a terminal changes in a way that it should not",
        {{"terminal", held.key.str()}, {"from", name_of(held.stage_)}, {"to", name_of(next)}});
    assert(false && "an illegal change of stage");
  }
  held.stage_ = next;
  changed_.cancel();
}

awaitable<base::Status> Terminals::while_in(std::string key, Stage stage) {
  for (;;) {
    const Held* const held = find(key);
    if (held == nullptr || held->stage() != stage) co_return base::Status{};
    co_await changed_.async_wait(asio::as_tuple(asio::use_awaitable));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
      co_return base::fail(base::Code::unavailable, "the daemon is stopping");
  }
}

// --- by user and id ---

std::string Terminals::key_of(const UserId& user, std::string_view id) const {
  const Held* const found = find(id);
  if (found != nullptr && found->user == user) return std::string(id);
  std::string scoped = scoped_key(user, id);
  const bool is_taken = found != nullptr || find(scoped) != nullptr;
  return is_taken ? scoped : std::string(id);
}

base::Result<Held*> Terminals::find(const UserId& user, std::string_view id) {
  Held* const held = find(key_of(user, id));
  if (held != nullptr && held->is_alive()) return held;
  return base::fail(base::Code::not_found, "there is no terminal " + std::string(id));
}

base::Result<Held*> Terminals::find_listed(const UserId& user, std::string_view id) {
  Held* const held = find(key_of(user, id));
  if (held != nullptr && held->stage() == Stage::restorable) return held;
  return find(user, id);
}

std::vector<const Held*> Terminals::list(const UserId& user) const {
  std::vector<const Held*> living = listed(user);
  std::erase_if(living, [](const Held* held) { return held->stage() == Stage::restorable; });
  return living;
}

std::vector<const Held*> Terminals::listed(const UserId& user) const {
  std::vector<const Held*> mine;
  for (const auto& [key, held] : of(user))
    if (is_listed(*held)) mine.push_back(held);
  std::ranges::sort(mine, {}, [](const Held* held) { return std::tie(held->position, held->id); });
  return mine;
}

int Terminals::next_position(const UserId& user) const {
  int next = 0;
  for (const auto& [key, held] : of(user))
    if (is_listed(*held)) next = std::max(next, held->position + 1);
  return next;
}

awaitable<Doings> Terminals::doings(UserId user, std::optional<std::string> session) {
  std::vector<std::string> keys;
  for (const Held* held : list(user))
    if (!session || *session == held->session.name) keys.push_back(held->key.str());
  Doings doings;
  base::Turn turn(executor_);
  for (const std::string& key : keys) {
    const Held* const held = find(key);
    if (held != nullptr && held->terminal) doings.emplace(key, held->terminal->doing());
    if (turn.is_over()) co_await turn.next();
  }
  if (!keys.empty())
    co_await turn.next();  // The caller's work with the result gets a turn of its own.
  co_return doings;
}

std::map<SessionId, Terminals::Count> Terminals::count(const UserId& user) const {
  std::map<SessionId, Count> counts;
  for (const auto& [key, held] : of(user)) {
    if (!is_listed(*held)) continue;
    Count& count = counts[held->session.id];
    ++(held->stage() == Stage::restorable ? count.restorable : count.living);
  }
  return counts;
}

Counts Terminals::counts() const {
  Counts counts;
  for (const auto& [key, held] : all_) {
    if (!held.is_alive()) continue;
    counts.viewers += held.terminal->viewers();
    if (held.stage() == Stage::exited)
      ++counts.exited;
    else
      ++(held.terminal->viewers() > 0 ? counts.active : counts.orphaned);
  }
  return counts;
}

}  // namespace session
