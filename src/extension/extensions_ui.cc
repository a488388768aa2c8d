// What extensions show and ask, and on which surfaces.

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "extension/extensions.h"
#include "session/random.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kNotificationsKept = 50;

}  // namespace

void Extensions::show(Surface& surface, const session::SessionRow& session) {
  hide(surface);
  const SpacePtr space = space_of(session);
  space->surfaces.push_back(&surface);
  for (const auto& [key, text] : space->status)
    surface.show_status(session.name, key.first + "." + key.second, text);
  for (const Notification& each : std::exchange(space->kept, {}))
    surface.show_notification(session.name, each.level, each.text);
  for (const auto& [id, question] : space->questions)
    surface.show_question(session.name, question.info);
}

void Extensions::hide(Surface& surface) {
  for (const auto& [id, space] : spaces_) std::erase(space->surfaces, &surface);
}

void Extensions::notify(Space& space, const std::string& level, const std::string& text) {
  for (Surface* surface : space.surfaces)
    surface->show_notification(space.session.name, level, text);
  if (!space.surfaces.empty()) return;
  space.kept.push_back({.level = level, .text = text});
  if (space.kept.size() > kNotificationsKept) space.kept.pop_front();
}

awaitable<json::value> Extensions::ask(SpacePtr space, QuestionInfo info, std::string call) {
  auto id = session::random_id();
  if (!id) co_return nullptr;
  info.id = *id;
  const auto timer = std::make_shared<asio::steady_timer>(executor_, info.timeout);
  space->questions[*id] = {.info = info, .call = std::move(call), .answer = {}, .answered = timer};
  for (Surface* surface : space->surfaces) surface->show_question(space->session.name, info);
  co_await timer->async_wait(kNoThrow);
  const auto asked = space->questions.find(*id);
  if (asked == space->questions.end()) co_return nullptr;
  Json answer = asked->second.answer.value_or(nullptr);
  if (const auto event = deciding_.find(asked->second.call); event != deciding_.end())
    event->second = std::chrono::steady_clock::now();
  space->questions.erase(asked);
  for (Surface* surface : space->surfaces) surface->hide_question(*id);
  co_return answer;
}

bool Extensions::answer(const session::UserId& user, const std::string& question,
                        json::value value) {
  for (const auto& [id, space] : spaces_) {
    const auto asked = space->questions.find(question);
    if (asked == space->questions.end() || space->session.user != user) continue;
    if (asked->second.answer) return false;  // The first answer counts.
    asked->second.answer = std::move(value);
    asked->second.answered->cancel();
    return true;
  }
  return false;
}

bool Extensions::asks(const std::string& call) const {
  return std::ranges::any_of(spaces_, [&](const auto& entry) {
    return std::ranges::any_of(entry.second->questions,
                               [&](const auto& asked) { return asked.second.call == call; });
  });
}

void Extensions::close_questions(Space& space) {
  for (auto& [id, question] : space.questions) question.answered->cancel();
}

// The caller is gone; drop its questions.
void Extensions::close_questions(const std::string& call) {
  for (const auto& [id, space] : spaces_)
    for (auto& [question_id, question] : space->questions)
      if (question.call == call) question.answered->cancel();
}

// For when the code that showed it is gone.
void Extensions::drop_shown(Space& space) {
  close_questions(space);
  while (!space.status.empty()) drop_status(space, std::string(space.status.begin()->first.first));
}

void Extensions::drop_status(Space& space, const std::string& extension) {
  std::erase_if(space.status, [&](const auto& item) {
    const auto& [owner, key] = item.first;
    if (owner != extension) return false;
    for (Surface* surface : space.surfaces)
      surface->show_status(space.session.name, owner + "." + key, std::nullopt);
    return true;
  });
}

}  // namespace extension
