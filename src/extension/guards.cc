#include "extension/guards.h"

#include <algorithm>

#include "base/log.h"

namespace extension {

void Guards::read() {
  if (is_read_) return;
  auto stored = store_.extensions().guards(session_.id);
  if (!stored)
    return base::log(base::Level::error, "cannot read what extensions must decide",
                     {{"session", session_.name}, {"error", stored.error()}});
  is_read_ = true;
  guards_.merge(*stored);  // What this daemon was told is newer.
}

void Guards::declare(const std::string& extension, session::EventNames events) {
  const auto known = guards_.find(extension);
  if (known == guards_.end() ? is_read_ && events.empty() : known->second == events) return;
  guards_[extension] = events;
  if (auto set = store_.extensions().set_guard({.session = session_.id, .name = extension}, events);
      !set)
    base::log(base::Level::error, "cannot save what an extension must decide",
              {{"session", session_.name}, {"extension", extension}, {"error", set.error()}});
}

void Guards::declare_unless_known(const std::string& extension, session::EventNames events) {
  read();
  if (is_read_ && !guards_.contains(extension)) declare(extension, std::move(events));
}

session::EventNames Guards::of(const std::string& extension) const {
  const auto guard = guards_.find(extension);
  return guard == guards_.end() ? session::EventNames() : guard->second;
}

bool Guards::must_decide(std::string_view extension, std::string_view event) const {
  const auto guard = guards_.find(extension);
  return guard != guards_.end() && guard->second.contains(event);
}

bool Guards::is_guarded(std::string_view event) const {
  return std::ranges::any_of(guards_,
                             [&](const auto& guard) { return guard.second.contains(event); });
}

bool Guards::is_guard(std::string_view extension) const {
  const auto guard = guards_.find(extension);
  return guard != guards_.end() && !guard->second.empty();
}

}  // namespace extension
