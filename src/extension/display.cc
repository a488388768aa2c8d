#include "extension/display.h"

#include <algorithm>

namespace extension {

namespace {

constexpr std::size_t kNotificationsKept = 50;

}  // namespace

void Display::add(Surface& surface) {
  surfaces_.push_back(&surface);
  for (const auto& [key, text] : status_)
    surface.show_status(session_.name, key.first + "." + key.second, text);
  for (const Notification& each : std::exchange(kept_, {}))
    surface.show_notification(session_.name, each.level, each.text);
}

void Display::remove(Surface& surface) {
  std::erase(surfaces_, &surface);
}

void Display::notify(const std::string& level, const std::string& text) {
  for (Surface* surface : surfaces_) surface->show_notification(session_.name, level, text);
  if (!surfaces_.empty()) return;
  kept_.push_back({.level = level, .text = text});
  if (kept_.size() > kNotificationsKept) kept_.pop_front();
}

void Display::show_commands(const std::vector<CommandInfo>& commands) {
  for (Surface* surface : surfaces_) surface->show_commands(session_.name, commands);
}

void Display::set_status(const std::string& extension, const std::string& key,
                         const std::optional<std::string>& text) {
  if (text)
    status_[{extension, key}] = *text;
  else
    status_.erase({extension, key});
  for (Surface* surface : surfaces_)
    surface->show_status(session_.name, extension + "." + key, text);
}

void Display::drop_status(const std::string& extension) {
  std::erase_if(status_, [&](const auto& item) {
    const auto& [owner, key] = item.first;
    if (owner != extension) return false;
    for (Surface* surface : surfaces_)
      surface->show_status(session_.name, owner + "." + key, std::nullopt);
    return true;
  });
}

void Display::drop_status() {
  while (!status_.empty()) drop_status(std::string(status_.begin()->first.first));
}

void Display::show_question(const QuestionInfo& question) {
  for (Surface* surface : surfaces_) surface->show_question(session_.name, question);
}

void Display::hide_question(const std::string& id) {
  for (Surface* surface : surfaces_) surface->hide_question(id);
}

}  // namespace extension
