#include "terminal/audience.h"

#include <algorithm>
#include <ranges>

namespace terminal {

void Audience::attach(Viewer& viewer) {
  viewers_.push_back(&viewer);
  if (viewers_.size() == 1) events_.first_came();
  take_control(viewer);
}

void Audience::detach(Viewer& viewer) {
  std::erase(viewers_, &viewer);
  choose_size();
  events_.lossless_moved();
  if (viewers_.empty()) events_.last_left();
}

void Audience::let_go_all(Detached why, const Viewer* except) {
  for (Viewer* viewer : std::vector<Viewer*>(viewers_))
    if (viewer != except) viewer->let_go(why);
}

void Audience::take_control(Viewer& viewer) {
  const auto found = std::ranges::find(viewers_, &viewer);
  std::rotate(found, found + 1, viewers_.end());
  choose_size();
  theme_changed(viewer);
}

void Audience::theme_changed(const Viewer& viewer) {
  if (viewer.theme() && in_control() == &viewer) events_.theme_wanted(*viewer.theme());
}

const Viewer* Audience::in_control() const {
  for (const Viewer* viewer : std::views::reverse(viewers_))
    if (viewer->role() == Role::control) return viewer;
  return nullptr;
}

void Audience::choose_size() {
  for (const Viewer* viewer : std::views::reverse(viewers_))
    if (viewer->role() == Role::control && viewer->size())
      return events_.size_wanted(*viewer->size());
}

void Audience::wake() {
  for (Viewer* viewer : viewers_) viewer->wake();
}

std::optional<journal::Offset> Audience::needed_from() const {
  std::optional<journal::Offset> needed;
  for (const Viewer* viewer : viewers_)
    if (viewer->loss() == Loss::never)
      needed = std::min(needed.value_or(viewer->offset()), viewer->offset());
  return needed;
}

}  // namespace terminal
