#include "extension/loading.h"

#include <algorithm>
#include <set>

#include "base/log.h"
#include "extension/built_ins.h"
#include "extension/process_record.h"

namespace extension {

using boost::asio::awaitable;
using session::ExtensionsWere;
using session::SessionRow;
using Object = json::object;

Loading::Loading(base::TaskScope& tasks, Spaces& spaces, Runners& runners, Processes& processes,
                 ExtensionCode code, session::Sessions& sessions, const Settings& settings)
    : tasks_(tasks),
      spaces_(spaces),
      runners_(runners),
      processes_(processes),
      code_(code),
      sessions_(sessions),
      settings_(settings),
      renewal_(spaces, runners) {}

std::shared_ptr<Rpc> Loading::link_to(const Space& space) {
  if (!space.is_open) return nullptr;
  return runners_.of(space.session).link();
}

awaitable<void> Loading::recovered(SpacePtr space) {
  for (;;) {
    co_await spaces_.settled(space);
    Runner& runner = runners_.of(space->session);
    if (!space->is_open || runner.link() || !runner.is_running()) co_return;
    // When it is back, it may turn out that it is still loading.
    if (const auto link = co_await runner.ready(); !link) co_return;
  }
}

Object Loading::describe(const Space& space) const {
  const SessionRow& session = space.session;
  return {{"id", session.id.str()},
          {"name", session.name},
          {"kind", session.kind == session::SessionKind::background ? "background" : "interactive"},
          {"userId", session.user.str()},
          {"cwd", sessions_.directory_of(session)}};
}

void Loading::renamed(const SessionRow& session) {
  const SpacePtr space = spaces_.of(session);
  space->session = session;
  if (const auto link = link_to(*space))
    link->notify("session.renamed", {{"session", session.id.str()}, {"name", session.name}});
}

// --- opening ---

// A living runner connects by itself and reports what it holds.
awaitable<void> Loading::meet_living_runners() {
  std::vector<Runner*> living = runners_.all();
  std::erase_if(living, [](const Runner* runner) { return !runner->is_running(); });
  for (Runner* runner : living) {
    if (!settings_.off.empty()) {
      co_await runner->kill();
      continue;
    }
    const auto link = co_await runner->ready();
    const bool is_used = std::ranges::any_of(sessions_.all_sessions(), [&](const SessionRow& row) {
      return runners_.is_for(*runner, row);
    });
    if (link && is_used) {
      (void)co_await renewal_.renew(*runner);
      continue;
    }
    base::log(base::Level::error, "replacing the extension runner",
              {{"reason", link ? "no session uses it" : link.error().message()}});
    co_await runner->kill();
  }
}

awaitable<void> Loading::open_all() {
  co_await meet_living_runners();
  spaces_.opened_all();
  for (const SessionRow& session : sessions_.all_sessions()) {
    const SpacePtr space = spaces_.of(session);
    if (space->is_open || space->changing) continue;
    std::string reason = "startup";
    if (session.extensions == ExtensionsWere::open) reason = "recover";
    if (session.extensions == ExtensionsWere::closed) reason = "resume";
    lose_resources(*space, "the runner had exited");
    open_soon(space, reason);
  }
}

void Loading::open_soon(const SpacePtr& space, std::string reason) {
  space->recovering = true;
  tasks_.spawn([this, space, reason = std::move(reason)]() -> awaitable<void> {
    space->recovering = false;
    co_await open(space, reason);
    spaces_.wake();  // Even if there was nothing to open.
  });
}

awaitable<void> Loading::open(SpacePtr space, std::string reason) {
  co_await spaces_.settled(space);
  if (space->is_open) co_return;
  space->instances.replace(code_.wanted(*space));
  if (!space->instances.has_any_to_load())
    co_return space->display.show_commands(all_commands(space->instances));
  Change change(spaces_, space);
  auto link = co_await runners_.of(space->session).ready();
  std::string trouble;
  bool lost = false;
  if (link) {
    space->is_open = true;
    space->record(ExtensionsWere::open);
    Object params{{"session", describe(*space)},
                  {"extensions", space->instances.to_load()},
                  {"reason", reason}};
    auto opened = co_await (*link)->call("session.open", std::move(params));
    trouble = opened ? space->instances.take_outcomes(*opened) : opened.error().message();
    // If the connection was lost, the runner's exit or its next connection settles this.
    if (!opened && opened.error().code != base::Code::unavailable) space->is_open = false;
  } else {
    trouble = link.error().message();
    lost = link.error().code == base::Code::unavailable;
    space->instances.failed_to_load(trouble);
  }
  change.end();
  space->display.show_commands(all_commands(space->instances));
  if (!trouble.empty()) {
    base::log(base::Level::error, "extensions failed to load",
              {{"session", space->session.name}, {"error", trouble}});
    space->display.notify("error", trouble);
  }
  if (lost) worker_ended(space, "crashed", trouble);
}

// --- reloading ---

awaitable<std::string> Loading::reload(SpacePtr space) {
  co_await spaces_.settled(space);
  const std::string reason = space->disabled.has_faults() ? "recover" : "startup";
  space->disabled.clear();
  co_return co_await load_again(space, reason);
}

// Turning off an extension that must decide means doing without its decision.
awaitable<std::string> Loading::disable(SpacePtr space, std::string extension) {
  Instance* const instance = space->instances.find(extension);
  space->note(extension, "disabled", "by the user");
  space->disabled.turn_off(extension);
  space->guards.declare(extension, {});
  if (instance->runs) co_return co_await load_again(space, "reload");
  *instance = {.name = extension, .disabled = true, .error = kTurnedOff};
  co_return "";
}

awaitable<std::string> Loading::load_again(SpacePtr space, std::string reason) {
  const std::vector<SpacePtr> renewed = co_await renewal_.renew(runners_.of(space->session));
  for (const SpacePtr& other : renewed)
    if (other != space) open_soon(other, "resume");
  co_await recovered(space);
  if (space->is_open) co_return co_await reload_code(space);
  co_await open(space, reason);
  for (const Instance& instance : space->instances.all())
    if (!instance.runs) co_return instance.name + ": " + instance.error;
  co_return "";
}

awaitable<std::string> Loading::reload_code(SpacePtr space) {
  Change change(spaces_, space);
  Object params{{"session", space->session.id.str()},
                {"extensions", space->instances.begin_reload(code_.wanted(*space))}};
  std::string trouble;
  if (auto link = co_await runners_.of(space->session).ready()) {
    auto reloaded = co_await (*link)->call("session.reload", std::move(params));
    trouble = reloaded ? space->instances.take_outcomes(*reloaded) : reloaded.error().message();
  } else {
    trouble = link.error().message();
  }
  for (const std::string& name : space->instances.end_reload()) space->display.drop_status(name);
  change.end();
  space->display.show_commands(all_commands(space->instances));
  co_return trouble;
}

// --- closing ---

awaitable<void> Loading::close(SpacePtr space, std::string reason) {
  co_await spaces_.settled(space);
  if (space->is_open) co_await close_worker(space, std::move(reason));
  co_await close_resources(space);
  co_await processes_.close_all(space->session.id);
  space->drop_shown();
  space->record(ExtensionsWere::closed);
}

awaitable<void> Loading::close_all(std::string reason) {
  std::vector<SpacePtr> open;
  for (const auto& [id, space] : spaces_.all())
    if (space->is_open) open.push_back(space);
  for (const SpacePtr& space : open) co_await close(space, reason);
}

awaitable<void> Loading::close_worker(SpacePtr space, std::string reason) {
  const Change change(spaces_, space);
  if (const auto link = runners_.of(space->session).link()) {
    Object params{{"session", space->session.id.str()}, {"reason", reason}};
    auto closed = co_await link->call("session.close", std::move(params));
    if (!closed)
      base::log(base::Level::warning, "a session's extensions did not close cleanly",
                {{"session", space->session.name}, {"error", closed.error()}});
  }
  space->is_open = false;
  space->instances.closed("the session was closed");
}

// Ends what the code did not close.
awaitable<void> Loading::close_resources(SpacePtr space) {
  std::vector<Resources::Key> left;
  for (const auto& [key, row] : space->resources.rows()) left.push_back(key);
  for (const Resources::Key& key : left) {
    const auto link = link_to(*space);
    auto closed = co_await space->resources.close(key, link);
    if (!closed)
      base::log(base::Level::warning, "cannot close a resource",
                {{"key", key.second}, {"error", closed.error()}});
  }
}

// --- dying ---

void Loading::ended(Runner& runner, const std::string& why) {
  for (const auto& [id, space] : spaces_.all())
    if (space->is_open && runners_.is_for(runner, space->session))
      worker_ended(space, "crashed", why);
}

void Loading::lose_resources(Space& space, const std::string& why) {
  // No record names these, so nobody else would end them.
  const std::vector<session::ProcessRecord> strays = space.resources.lose(why);
  if (!strays.empty())
    tasks_.spawn([strays]() -> awaitable<void> { co_await end_processes(strays); });
}

void Loading::worker_ended(const SpacePtr& space, const std::string& reason,
                           const std::string& detail, const std::string& extension) {
  const std::string why = reason + (detail.empty() ? "" : ": " + detail) +
                          (extension.empty() ? "" : ", by " + extension);
  space->note("extensions", "worker_ended", why);
  base::log(base::Level::error, "a session's extension worker ended",
            {{"session", space->session.name}, {"reason", why}});
  space->is_open = false;
  if (space->loading) {  // The worker can no longer report the outcome.
    space->loading = false;
    spaces_.wake();
  }
  lose_resources(*space, why);
  space->drop_shown();
  space->instances.ended(why);
  if (!may_restart(*space, extension, why))
    return space->display.show_commands(all_commands(space->instances));
  open_soon(space, "recover");
}

bool Loading::may_restart(Space& space, const std::string& extension, const std::string& why) {
  const auto verdict = space.disabled.worker_ended(extension, why);
  if (verdict == Disabled::Verdict::restart) {
    space.display.notify("warning", "Restarting extensions: " + why);
    return true;
  }
  space.note(extension.empty() ? "extensions" : extension, "disabled", why);
  if (verdict == Disabled::Verdict::disable_all) {
    space.display.notify(
        "error", "Extensions are disabled after three restarts within five minutes (" + why +
                     "). It is not known which one is at fault. Fix them, then type /reload.");
    return false;
  }
  space.display.notify("error", extension +
                                    " is disabled after three restarts within five minutes (" +
                                    why + "). The others keep running. Fix it, then type /reload.");
  return true;
}

}  // namespace extension
