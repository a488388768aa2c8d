// Extensions that must decide (docs/extensions.md). What each declared is remembered, so that one
// that is not running refuses instead of being skipped.

#include <algorithm>
#include <array>

#include "base/log.h"
#include "extension/extensions.h"
#include "extension/params.h"

namespace extension {

using session::EventNames;

namespace {

struct Subject {
  std::string_view event;
  std::string_view name;
  std::string_view outcome;
};
constexpr std::array kSubjects{
    Subject{"user_bash", "this command", "The command was not run"},
    Subject{"terminal_before_create", "this terminal", "The terminal was not created"},
    Subject{"session_before_switch", "leaving this session", "You are still in it"},
};

}  // namespace

void Extensions::read_guards(Space& space) {
  if (space.guards_read) return;
  auto stored = store_.extensions().guards(space.session.id);
  if (!stored)
    return base::log(base::Level::error, "cannot read what extensions must decide",
                     {{"session", space.session.name}, {"error", stored.error()}});
  space.guards_read = true;
  space.guards.merge(*stored);  // What this daemon was told is newer.
}

void Extensions::declared(Space& space, const std::string& extension, EventNames events) {
  const auto known = space.guards.find(extension);
  if (known == space.guards.end() ? space.guards_read && events.empty() : known->second == events)
    return;
  space.guards[extension] = events;
  if (auto set =
          store_.extensions().set_guard({.session = space.session.id, .name = extension}, events);
      !set)
    base::log(base::Level::error, "cannot save what an extension must decide",
              {{"session", space.session.name}, {"extension", extension}, {"error", set.error()}});
}

base::Error Extensions::refusal(const Space& space, std::string_view event,
                                const std::string& extension, const std::string& reason) {
  const auto subject = std::ranges::find(kSubjects, event, &Subject::event);
  note(space, extension, "refused", std::string(event) + ": " + reason);
  return {.code = base::Code::cancelled,
          .what = extension + " must decide about " + std::string(subject->name) +
                  " and gave no answer: " + reason + ". " + std::string(subject->outcome),
          .advice = "Fix " + extension + " and type /reload, or turn it off with /disable " +
                    extension + "."};
}

// Refuses if an extension that must decide is not running.
base::Status Extensions::all_can_decide(Space& space, std::string_view event) {
  read_guards(space);
  for (const Instance& instance : space.instances) {
    if (instance.runs || space.turned_off.contains(instance.name)) continue;
    const std::string why =
        "it is not running" + (instance.error.empty() ? "" : " (" + instance.error + ")");
    if (space.must_decide(instance.name, event))
      return base::fail(refusal(space, event, instance.name, why));
    if (!space.guards_read)
      return base::fail(
          refusal(space, event, instance.name,
                  why + ", and the database, which knows what it must decide, cannot be "
                        "read"));
  }
  return {};
}

// The session's extensions did not answer. Goes on unless one of them must decide.
base::Result<json::value> Extensions::without_answer(const Space& space, std::string_view event,
                                                     const base::Error& why) {
  if (why.code == base::Code::cancelled) return base::fail(why);
  for (const Instance& instance : space.instances)
    if (space.must_decide(instance.name, event))
      return base::fail(refusal(space, event, instance.name, why.what));
  return nullptr;
}

// The runner's answer to an event: the decision, or which extension failed to decide.
base::Result<json::value> Extensions::as_decision(const Space& space, std::string_view event,
                                                  Json answer) {
  if (!answer.is_object()) return answer;
  const Json* const refused = answer.get_object().if_contains("refused");
  if (refused == nullptr) return answer;
  if (!refused->is_object())
    return base::fail(base::Code::corrupt, "the runner sent an invalid answer");
  Params params(refused->get_object());
  return base::fail(refusal(space, event, params.text("extension"), params.text("reason")));
}

// Adds extensions that must decide and are missing in an earlier daemon's runner.
void Extensions::add_absent_guards(Space& space) {
  read_guards(space);
  for (const Found& each : find_code(space)) {
    if (space.find(each.name) != nullptr) continue;
    const auto guard = space.guards.find(each.name);
    if (space.guards_read && (guard == space.guards.end() || guard->second.empty())) continue;
    space.instances.push_back({.name = each.name,
                               .path = each.path.string(),
                               .error = "it was not running when this daemon started"});
  }
}

}  // namespace extension
