#include "extension/decisions.h"

#include <algorithm>
#include <array>

#include "extension/params.h"

namespace extension {

using Json = boost::json::value;

namespace {

struct Subject {
  std::string_view event;
  std::string_view name;
  std::string_view outcome;
};
constexpr std::array kSubjects{
    Subject{"user_bash", "this command", "The command was not run"},
    Subject{"terminal_before_create", "this terminal", "The terminal was not created"},
    Subject{"session_before_switch", "leaving this session", "You are still in this session"},
    Subject{"tool_call", "this tool call", "The tool was not called"},
};

// Agents have more events than these.
Subject subject_of(std::string_view event) {
  const auto known = std::ranges::find(kSubjects, event, &Subject::event);
  return known == kSubjects.end() ? Subject{event, event, "It was refused"} : *known;
}

base::Error refusal(const SessionExtensions& extensions, std::string_view event,
                    const std::string& extension, const std::string& reason) {
  const Subject subject = subject_of(event);
  extensions.note(extension, "refused", std::string(event) + ": " + reason);
  return {.code = base::Code::cancelled,
          .what = extension + " must decide about " + std::string(subject.name) +
                  " and gave no answer: " + reason + ". " + std::string(subject.outcome),
          .advice = "Fix " + extension + " and type /reload, or turn it off with /disable " +
                    extension + "."};
}

}  // namespace

base::Status all_can_decide(SessionExtensions& extensions, std::string_view event) {
  extensions.guards.read();
  for (const Instance& instance : extensions.instances.all()) {
    if (instance.runs || extensions.disabled.is_turned_off(instance.name)) continue;
    const std::string why =
        "it is not running" + (instance.error.empty() ? "" : " (" + instance.error + ")");
    if (extensions.guards.must_decide(instance.name, event))
      return base::fail(refusal(extensions, event, instance.name, why));
    if (!extensions.guards.are_known())
      return base::fail(
          refusal(extensions, event, instance.name,
                  why + ", and what it must decide is in the database, which cannot be read"));
  }
  return {};
}

base::Result<Json> without_answer(const SessionExtensions& extensions, std::string_view event,
                                  const base::Error& why) {
  if (why.code == base::Code::cancelled) return base::fail(why);
  for (const Instance& instance : extensions.instances.all())
    if (extensions.guards.must_decide(instance.name, event))
      return base::fail(refusal(extensions, event, instance.name, why.what));
  return nullptr;
}

base::Result<Json> as_decision(const SessionExtensions& extensions, std::string_view event,
                               Json answer) {
  if (!answer.is_object()) return answer;
  const Json* const refused = answer.get_object().if_contains("refused");
  if (refused == nullptr) return answer;
  if (!refused->is_object())
    return base::fail(base::Code::corrupt, "the runner sent an invalid answer");
  Params params(refused->get_object());
  return base::fail(refusal(extensions, event, params.text("extension"), params.text("reason")));
}

}  // namespace extension
