#include "terminal/audience.h"

#include <algorithm>
#include <ranges>

namespace terminal {

void Audience::attach(Viewer& viewer) {
  viewers_.insert(viewer.is_hidden() ? viewers_.begin() : viewers_.end(), &viewer);
  if (viewers_.size() == 1) events_.first_came();
  if (!viewer.is_hidden()) choose_size();
  theme_changed(viewer);
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

void Audience::step_back(Viewer& viewer) {
  const auto found = std::ranges::find(viewers_, &viewer);
  std::rotate(viewers_.begin(), found, found + 1);
  choose_size();
  glances_.ask();
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
    if (viewer->role() == Role::control && viewer->size() && !viewer->is_hidden())
      return events_.size_wanted(*viewer->size());
}

void Audience::wake() {
  bool any_hidden = !onlookers_.empty();
  for (Viewer* viewer : viewers_) {
    any_hidden |= viewer->is_hidden();
    if (!viewer->is_hidden()) viewer->wake();
  }
  if (any_hidden) glances_.ask();
}

void Audience::wake_all() {
  for (Viewer* viewer : viewers_) viewer->wake();
}

void Audience::wake_hidden() {
  for (Viewer* viewer : viewers_)
    if (viewer->is_hidden()) viewer->wake();
  for (Onlooker* onlooker : onlookers_) onlooker->has_changed();
}

bool Audience::is_watching() const {
  return std::ranges::any_of(viewers_, [](const Viewer* viewer) { return !viewer->is_hidden(); });
}

std::optional<journal::Offset> Audience::needed_from() const {
  std::optional<journal::Offset> needed;
  for (const Viewer* viewer : viewers_)
    if (viewer->loss() == Loss::never)
      needed = std::min(needed.value_or(viewer->offset()), viewer->offset());
  return needed;
}

}  // namespace terminal
