// Opening, reloading and closing the extensions of a session.

#include <algorithm>

#include "base/log.h"
#include "extension/discovery.h"
#include "extension/extensions.h"
#include "extension/params.h"

namespace extension {

using boost::asio::awaitable;
using session::ExtensionsWere;
using session::SessionRow;

namespace {

constexpr std::ptrdiff_t kMostRestarts = 3;
constexpr std::chrono::minutes kRestartsWithin{5};

json::array to_json(const std::vector<Instance>& instances) {
  json::array list;
  for (const Instance& instance : instances)
    if (!instance.disabled)
      list.push_back(json::object{{"name", instance.name},
                                  {"path", instance.path},
                                  {"generation", instance.next.value_or(instance.generation)}});
  return list;
}

// The same extension, with the next generation of its code.
Instance successor(const Instance& old, const Instance& fresh) {
  Instance next = old;
  next.path = fresh.path;
  next.next = fresh.generation;
  return next;
}

// The same extension, about to be unloaded.
Instance leaver(const Instance& old, const Instance& fresh) {
  Instance leaving = old;
  leaving.disabled = true;
  leaving.error = fresh.error;
  return leaving;
}

std::string where(const json::object& error) {
  Params params(error);
  std::string text = params.optional_text("message").value_or("it failed to load");
  if (const auto file = params.optional_text("file")) {
    std::string place = *file;
    if (const auto line = params.number("line", 0); line > 0) place += ":" + std::to_string(line);
    text = place + ": " + text;
  }
  return text;
}

}  // namespace

std::vector<Found> Extensions::find_code(const Space& space) {
  if (!settings_.off.empty()) return {};
  const std::filesystem::path directory = sessions_.logins().directory_of(space.session);
  std::vector<std::filesystem::path> directories{settings_.directory};
  if (auto trusted = store_.extensions().trusted(space.session.user))
    if (std::ranges::find(*trusted, directory.string()) != trusted->end())
      directories.push_back(directory / ".holdfast/extensions");
  Discovery found = extension::discover(settings_.paths, directories);
  for (const std::string& warning : found.warnings)
    base::log(base::Level::warning, "skipped an extension", {{"reason", warning}});
  return std::move(found.extensions);
}

// The extensions that the session should have now, each with its next generation.
std::vector<Instance> Extensions::discover(const Space& space) {
  std::vector<Instance> instances;
  for (const Found& each : find_code(space)) {
    if (space.turned_off.contains(each.name)) {
      instances.push_back({.name = each.name, .disabled = true, .error = kTurnedOff});
      continue;
    }
    if (const auto fault = space.faulty.find(each.name); fault != space.faulty.end()) {
      instances.push_back({.name = each.name, .disabled = true, .error = fault->second});
      continue;
    }
    auto generation =
        store_.extensions().next_generation({.session = space.session.id, .name = each.name});
    if (!generation) {
      base::log(base::Level::error, "cannot assign an extension's generation",
                {{"extension", each.name}, {"error", generation.error()}});
      instances.push_back(
          {.name = each.name, .disabled = true, .error = generation.error().message()});
      continue;
    }
    instances.push_back({.name = each.name, .path = each.path.string(), .generation = *generation});
  }
  return instances;
}

awaitable<void> Extensions::open_all() {
  // A living runner connects by itself and reports what it holds.
  std::vector<Runner*> living;
  for (const auto& [only, runner] : runners_)
    if (runner->is_running()) living.push_back(runner.get());
  for (Runner* runner : living) {
    if (!settings_.off.empty()) {
      co_await runner->kill();
      continue;
    }
    const auto link = co_await runner->ready();
    if (link && is_for_somebody(*runner)) {
      (void)co_await renew(*runner);
      continue;
    }
    base::log(base::Level::error, "replacing the extension runner",
              {{"reason", link ? "no session uses it" : link.error().message()}});
    co_await runner->kill();
  }
  opened_all_ = true;
  for (const SessionRow& session : sessions_.names().all_sessions()) {
    const SpacePtr space = space_of(session);
    if (space->is_open || space->changing) continue;
    std::string reason = "startup";
    if (session.extensions == ExtensionsWere::open) reason = "recover";
    if (session.extensions == ExtensionsWere::closed) reason = "resume";
    lose_resources(*space, "the runner had exited");
    open_soon(space, reason);
  }
  settled_.cancel();
}

void Extensions::open_soon(const SpacePtr& space, std::string reason) {
  space->recovering = true;
  tasks_.spawn([this, space, reason = std::move(reason)]() -> awaitable<void> {
    space->recovering = false;
    co_await open(space, reason);
    settled_.cancel();  // Even if there was nothing to open.
  });
}

awaitable<void> Extensions::open(SpacePtr space, std::string reason) {
  co_await settled(space);
  if (space->is_open) co_return;
  space->instances = discover(*space);
  if (std::ranges::all_of(space->instances, &Instance::disabled)) co_return registered(*space);
  space->changing = true;
  auto link = co_await runner_of(*space).ready();
  std::string trouble;
  bool lost = false;
  if (link) {
    space->is_open = true;
    set_were(*space, ExtensionsWere::open);
    Object params{{"session", describe(*space)},
                  {"extensions", to_json(space->instances)},
                  {"reason", reason}};
    auto opened = co_await (*link)->call("session.open", std::move(params));
    trouble = opened ? take_outcomes(*space, *opened) : opened.error().message();
    // If the connection was lost, the runner's exit or its next connection settles this.
    if (!opened && opened.error().code != base::Code::unavailable) space->is_open = false;
  } else {
    trouble = link.error().message();
    lost = link.error().code == base::Code::unavailable;
    for (Instance& instance : space->instances)
      if (!instance.disabled) instance.error = trouble;
  }
  space->changing = false;
  settled_.cancel();
  registered(*space);
  if (!trouble.empty()) {
    base::log(base::Level::error, "extensions failed to load",
              {{"session", space->session.name}, {"error", trouble}});
    notify(*space, "error", trouble);
  }
  if (lost) worker_ended(space, "crashed", trouble);
}

// Takes each extension's outcome; returns the errors of those that failed.
std::string Extensions::take_outcomes(Space& space, const Json& result) {
  std::string trouble;
  if (!result.is_object()) return "the runner sent an invalid answer";
  Params answer(result.get_object());
  for (const Object& outcome : answer.objects("extensions")) {
    Params params(outcome);
    Instance* const instance = space.find(params.text("name"));
    if (instance == nullptr) continue;
    const std::string status = params.text("status");
    instance->generation = params.number("generation", instance->generation);
    instance->next.reset();
    instance->runs = status != "failed";
    instance->error.clear();
    if (!instance->runs) {
      instance->commands.clear();
      instance->tools.clear();
      instance->events.clear();
    }
    const Json error = params.value("error");
    if (!error.is_object()) continue;
    instance->error = where(error.get_object());
    const char* const but = status == "failed" ? "" : " (the previous code keeps running)";
    trouble += (trouble.empty() ? "" : "\n") + instance->name + ": " + instance->error + but;
  }
  return trouble;
}

awaitable<std::string> Extensions::reload(SpacePtr space) {
  co_await settled(space);
  const std::string reason = space->disabled || !space->faulty.empty() ? "recover" : "startup";
  space->disabled = false;
  space->faulty.clear();
  space->turned_off.clear();
  space->restarts.clear();
  co_return co_await load_again(space, reason);
}

awaitable<std::string> Extensions::load_again(SpacePtr space, std::string reason) {
  const std::vector<SpacePtr> renewed = co_await renew(runner_of(*space));
  for (const SpacePtr& other : renewed)
    if (other != space) open_soon(other, "resume");
  co_await settled(space);
  if (!space->is_open) {
    co_await open(space, reason);
    for (const Instance& instance : space->instances)
      if (!instance.runs) co_return instance.name + ": " + instance.error;
    co_return "";
  }
  space->changing = true;
  std::vector<Instance> wanted = discover(*space);
  for (Instance& fresh : wanted)
    if (const Instance* old = space->find(fresh.name); old != nullptr && !old->disabled)
      fresh = fresh.disabled ? leaver(*old, fresh) : successor(*old, fresh);
  Object params{{"session", space->session.id.str()}, {"extensions", to_json(wanted)}};
  // Code that is being unloaded may still call until it is gone.
  std::vector<std::string> leaving;
  for (const Instance& old : space->instances)
    if (std::ranges::find(wanted, old.name, &Instance::name) == wanted.end()) {
      leaving.push_back(old.name);
      wanted.push_back(old);
    }
  space->instances = std::move(wanted);
  std::string trouble;
  if (auto link = co_await runner_of(*space).ready()) {
    auto reloaded = co_await (*link)->call("session.reload", std::move(params));
    trouble = reloaded ? take_outcomes(*space, *reloaded) : reloaded.error().message();
  } else {
    trouble = link.error().message();
  }
  std::erase_if(space->instances, [&](const Instance& instance) {
    return std::ranges::find(leaving, instance.name) != leaving.end();
  });
  for (Instance& instance : space->instances) {
    if (!instance.disabled) continue;
    instance = {.name = instance.name, .disabled = true, .error = instance.error};
    leaving.push_back(instance.name);
  }
  for (const std::string& name : leaving) drop_status(*space, name);
  space->changing = false;
  settled_.cancel();
  registered(*space);
  co_return trouble;
}

awaitable<void> Extensions::close(SpacePtr space, std::string reason) {
  co_await settled(space);
  if (space->is_open) {
    space->changing = true;
    if (const auto link = runner_of(*space).link()) {
      Object params{{"session", space->session.id.str()}, {"reason", reason}};
      auto closed = co_await link->call("session.close", std::move(params));
      if (!closed)
        base::log(base::Level::warning, "a session's extensions did not close cleanly",
                  {{"session", space->session.name}, {"error", closed.error()}});
    }
    space->is_open = false;
    space->changing = false;
    // They can no longer decide what they must decide.
    for (Instance& instance : space->instances)
      instance = {.name = instance.name, .error = "the session was closed"};
    settled_.cancel();
  }
  // Ends what the code did not close.
  std::vector<Space::ResourceKey> left;
  for (const auto& [key, row] : space->resources) left.push_back(key);
  for (const Space::ResourceKey& key : left) {
    auto closed = co_await close_resource(space, key);
    if (!closed)
      base::log(base::Level::warning, "cannot close a resource",
                {{"key", key.second}, {"error", closed.error()}});
  }
  co_await processes_.close_all(space->session.id);
  drop_shown(*space);
  set_were(*space, ExtensionsWere::closed);
}

awaitable<void> Extensions::close_to_the_end(SpacePtr space) {
  // A named variable, because g++ 12 destroys captures of a lambda inside a co_await twice.
  const std::function<awaitable<base::Result<bool>>()> work =
      [this, space]() -> awaitable<base::Result<bool>> {
    co_await close(space, "close");
    co_return true;
  };
  (void)co_await to_the_end<bool>(work);
}

void Extensions::worker_ended(const SpacePtr& space, const std::string& reason,
                              const std::string& detail, const std::string& extension) {
  const std::string why = reason + (detail.empty() ? "" : ": " + detail) +
                          (extension.empty() ? "" : ", by " + extension);
  note(*space, "extensions", "worker_ended", why);
  base::log(base::Level::error, "a session's extension worker ended",
            {{"session", space->session.name}, {"reason", why}});
  space->is_open = false;
  if (space->loading) {  // The worker can no longer report the outcome.
    space->loading = false;
    space->changing = false;
    settled_.cancel();
  }
  lose_resources(*space, why);
  drop_shown(*space);
  for (Instance& instance : space->instances)
    if (!instance.disabled) instance = {.name = instance.name, .error = why};
  if (!may_restart(*space, extension, why)) return registered(*space);
  open_soon(space, "recover");
}

// Restarts are counted per extension. Those with an unknown cause count separately, and disable all
// extensions.
bool Extensions::may_restart(Space& space, const std::string& extension, const std::string& why) {
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(space.restarts,
                [&](const auto& restart) { return now - restart.time > kRestartsWithin; });
  const auto restarts = std::ranges::count(space.restarts, extension, &Space::Restart::extension);
  if (restarts < kMostRestarts) {
    space.restarts.push_back({.time = now, .extension = extension});
    notify(space, "warning", "Restarting extensions: " + why);
    return true;
  }
  note(space, extension.empty() ? "extensions" : extension, "disabled", why);
  if (extension.empty()) {
    space.disabled = true;
    notify(space, "error",
           "Extensions are disabled after three restarts within five minutes (" + why +
               "). It is not known which one is at fault. Fix them, then type /reload.");
    return false;
  }
  space.faulty[extension] = "disabled after three restarts within five minutes: " + why;
  notify(space, "error",
         extension + " is disabled after three restarts within five minutes (" + why +
             "). The others keep running. Fix it, then type /reload.");
  return true;
}

void Extensions::registered(Space& space) {
  for (Surface* surface : space.surfaces)
    surface->show_commands(space.session.name, commands(space.session));
}

}  // namespace extension
