#include "session/held.h"

namespace session {

bool is_listed(const Held& held) {
  return (held.terminal || held.restorable) && !held.closing && held.lifetime == Lifetime::kept;
}

bool HeldTerminals::add(Held held) {
  const std::string key = held.key.str();
  const auto [place, is_new] = all_.try_emplace(key, std::move(held));
  if (is_new) by_user_[place->second.user].emplace(key, &place->second);
  return is_new;
}

HeldTerminals::Map::node_type HeldTerminals::take_out(const std::string& key) {
  Map::node_type taken = all_.extract(key);
  if (taken.empty()) return taken;
  const auto theirs = by_user_.find(taken.mapped().user);
  theirs->second.erase(key);
  if (theirs->second.empty()) by_user_.erase(theirs);
  return taken;
}

void HeldTerminals::put_back(Map::node_type held) {
  Held& here = all_.insert(std::move(held)).position->second;
  by_user_[here.user].emplace(here.key.str(), &here);
}

void HeldTerminals::clear() {
  by_user_.clear();
  all_.clear();
}

Held* HeldTerminals::find(std::string_view key) {
  const auto found = all_.find(key);
  return found == all_.end() ? nullptr : &found->second;
}

const Held* HeldTerminals::find(std::string_view key) const {
  const auto found = all_.find(key);
  return found == all_.end() ? nullptr : &found->second;
}

const HeldTerminals::Theirs& HeldTerminals::of(const UserId& user) const {
  static const Theirs kNone;
  const auto found = by_user_.find(user);
  return found == by_user_.end() ? kNone : found->second;
}

}  // namespace session
