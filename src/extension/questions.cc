#include "extension/questions.h"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "session/random.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;
using Json = boost::json::value;

awaitable<Json> Questions::ask(QuestionInfo info, std::string call, std::int64_t generation) {
  auto id = session::random_id();
  if (!id) co_return nullptr;
  info.id = *id;
  const auto timer = std::make_shared<asio::steady_timer>(executor_, info.timeout);
  open_[*id] = {.info = info,
                .call = std::move(call),
                .generation = generation,
                .answer = {},
                .answered = timer};
  display_.show_question(info);
  co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
  const auto asked = open_.find(*id);
  Json answer = asked->second.answer.value_or(nullptr);
  open_.erase(asked);
  display_.hide_question(*id);
  co_return answer;
}

bool Questions::answer(const std::string& id, Json value) {
  const auto asked = open_.find(id);
  if (asked == open_.end() || asked->second.answer) return false;
  asked->second.answer = std::move(value);
  asked->second.answered->cancel();
  return true;
}

void Questions::show_all(Surface& surface, const std::string& session) const {
  for (const auto& [id, question] : open_) surface.show_question(session, question.info);
}

void Questions::close_all() {
  for (auto& [id, question] : open_) question.answered->cancel();
}

void Questions::close_of(const std::string& call) {
  for (auto& [id, question] : open_)
    if (question.call == call) question.answered->cancel();
}

void Questions::close_of(const std::string& extension, std::int64_t generation) {
  for (auto& [id, question] : open_)
    if (question.info.extension == extension && question.generation == generation)
      question.answered->cancel();
}

bool Questions::has_any_of(const std::string& call) const {
  return std::ranges::any_of(open_, [&](const auto& each) { return each.second.call == call; });
}

}  // namespace extension
