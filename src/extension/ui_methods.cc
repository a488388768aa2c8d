// Showing and asking.

#include <algorithm>

#include "extension/params.h"
#include "extension/runner_methods.h"

namespace extension {

namespace json = boost::json;
using boost::asio::awaitable;

namespace {

constexpr std::chrono::hours kLongestQuestion{24};

std::optional<QuestionKind> kind_of(const std::string& text) {
  if (text == "confirm") return QuestionKind::confirm;
  if (text == "select") return QuestionKind::select;
  if (text == "input") return QuestionKind::input;
  return std::nullopt;
}

// An answer that does not fit its question counts as no answer.
json::value fitting(QuestionKind kind, const std::vector<std::string>& options,
                    const json::value& answer) {
  if (kind == QuestionKind::confirm) return answer.is_bool() ? answer : json::value(false);
  if (!answer.is_string()) return nullptr;
  if (kind == QuestionKind::select &&
      std::ranges::find(options, std::string(answer.get_string())) == options.end())
    return nullptr;
  return answer;
}

awaitable<MethodAnswer> notify(MethodParts, Caller caller, json::object message) {
  Params params(message);
  const std::string text = params.text("text");
  const std::string level = params.optional_text("level").value_or("info");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  caller.extensions->display.notify(level, text);
  co_return json::value(nullptr);
}

awaitable<MethodAnswer> ask(MethodParts parts, Caller caller, json::object message) {
  Params params(message);
  const auto kind = kind_of(params.text("kind"));
  QuestionInfo info{.id = {},
                    .extension = caller.key.name,
                    .kind = kind.value_or(QuestionKind::confirm),
                    .title = params.text("title"),
                    .message = params.optional_text("message"),
                    .options = params.texts("options"),
                    .placeholder = params.optional_text("placeholder"),
                    .timeout = std::chrono::milliseconds(std::clamp<std::int64_t>(
                        params.number("timeoutMs", 60'000), 0,
                        std::chrono::milliseconds(kLongestQuestion).count()))};
  const std::string call = params.optional_text("call").value_or("");
  const std::int64_t generation = params.number("generation", 0);
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  if (!kind) co_return base::fail(base::Code::invalid_argument, "unknown kind of question");
  const auto options = info.options;
  const json::value answer =
      co_await caller.extensions->questions.ask(std::move(info), call, generation);
  parts.events.question_closed(call);
  co_return fitting(*kind, options, answer);
}

awaitable<MethodAnswer> status(MethodParts, Caller caller, json::object message) {
  Params params(message);
  const std::string key = params.text("key");
  const auto text = params.optional_text("text");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  caller.extensions->display.set_status(caller.key.name, key, text);
  co_return json::value(nullptr);
}

}  // namespace

std::vector<Method> ui_methods() {
  return {{"ui.notify", notify}, {"ui.ask", ask}, {"ui.status", status}};
}

}  // namespace extension
