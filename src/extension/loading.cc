#include "extension/loading.h"

#include <algorithm>
#include <set>

#include "base/log.h"
#include "extension/process_record.h"

namespace extension {

using boost::asio::awaitable;
using session::ExtensionsWere;
using session::SessionRow;
using Object = json::object;

Loading::Loading(base::TaskScope& tasks, ExtensionsBySession& by_session, Runners& runners,
                 Processes& processes, ExtensionCode code, session::Sessions& sessions,
                 const Settings& settings)
    : tasks_(tasks),
      by_session_(by_session),
      runners_(runners),
      processes_(processes),
      code_(code),
      sessions_(sessions),
      settings_(settings),
      renewal_(by_session, runners) {}

std::shared_ptr<Rpc> Loading::connection_to(const SessionExtensions& extensions) {
  if (!extensions.is_open) return nullptr;
  return runners_.of(extensions.session).connection();
}

awaitable<void> Loading::recovered(SessionExtensionsPtr extensions) {
  for (;;) {
    co_await by_session_.settled(extensions);
    Runner& runner = runners_.of(extensions->session);
    if (!extensions->is_open || runner.connection() || !runner.is_running()) co_return;
    // When it is back, it may turn out that it is still loading.
    if (const auto connection = co_await runner.ready(); !connection) co_return;
  }
}

Object Loading::describe(const SessionExtensions& extensions) const {
  const SessionRow& session = extensions.session;
  return {{"id", session.id.str()},
          {"name", session.name},
          {"kind", session.kind == session::SessionKind::background ? "background" : "interactive"},
          {"userId", session.user.str()},
          {"cwd", sessions_.logins().directory_of(session)}};
}

void Loading::renamed(const SessionRow& session) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  extensions->session = session;
  if (const auto connection = connection_to(*extensions))
    connection->notify("session.renamed", {{"session", session.id.str()}, {"name", session.name}});
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
    const auto connection = co_await runner->ready();
    const bool is_used =
        std::ranges::any_of(sessions_.names().all_sessions(),
                            [&](const SessionRow& row) { return runners_.is_for(*runner, row); });
    if (connection && is_used) {
      (void)co_await renewal_.renew(*runner);
      continue;
    }
    base::log(base::Level::error, "replacing the extension runner",
              {{"reason", connection ? "no session uses it" : connection.error().message()}});
    co_await runner->kill();
  }
}

awaitable<void> Loading::open_all() {
  co_await meet_living_runners();
  by_session_.opened_all();
  for (const SessionRow& session : sessions_.names().all_sessions()) {
    const SessionExtensionsPtr extensions = by_session_.of(session);
    if (extensions->is_open || extensions->changing) continue;
    std::string reason = "startup";
    if (session.extensions == ExtensionsWere::open) reason = "recover";
    if (session.extensions == ExtensionsWere::closed) reason = "resume";
    lose_resources(*extensions, "the runner had exited");
    open_soon(extensions, reason);
  }
}

void Loading::open_soon(const SessionExtensionsPtr& extensions, std::string reason) {
  extensions->recovering = true;
  tasks_.spawn([this, extensions, reason = std::move(reason)]() -> awaitable<void> {
    extensions->recovering = false;
    co_await open(extensions, reason);
    by_session_.wake();  // Even if there was nothing to open.
  });
}

awaitable<void> Loading::open(SessionExtensionsPtr extensions, std::string reason) {
  co_await by_session_.settled(extensions);
  if (extensions->is_open) co_return;
  extensions->instances.replace(code_.wanted(*extensions));
  if (!extensions->instances.has_any_to_load()) co_return extensions->show_offer();
  Change change(by_session_, extensions);
  auto connection = co_await runners_.of(extensions->session).ready();
  std::string trouble;
  bool lost = false;
  if (connection) {
    extensions->is_open = true;
    extensions->record(ExtensionsWere::open);
    Object params{{"session", describe(*extensions)},
                  {"extensions", extensions->instances.to_load()},
                  {"reason", reason},
                  {"agent", extensions->agent.describe()}};
    auto opened = co_await (*connection)->call("session.open", std::move(params));
    trouble = opened ? extensions->instances.take_outcomes(*opened) : opened.error().message();
    // If the connection was lost, the runner's exit or its next connection settles this.
    if (!opened && opened.error().code != base::Code::unavailable) extensions->is_open = false;
  } else {
    trouble = connection.error().message();
    lost = connection.error().code == base::Code::unavailable;
    extensions->instances.failed_to_load(trouble);
  }
  change.end();
  extensions->show_offer();
  if (!trouble.empty()) {
    base::log(base::Level::error, "extensions failed to load",
              {{"session", extensions->session.name}, {"error", trouble}});
    extensions->display.notify("error", trouble);
  }
  if (lost) worker_ended(extensions, "crashed", trouble);
}

// --- reloading ---

awaitable<std::string> Loading::reload(SessionExtensionsPtr extensions) {
  co_await by_session_.settled(extensions);
  const std::string reason = extensions->disabled.has_faults() ? "recover" : "startup";
  extensions->disabled.clear();
  co_return co_await load_again(extensions, reason);
}

// Turning off an extension that must decide means doing without its decision.
awaitable<std::string> Loading::disable(SessionExtensionsPtr extensions, std::string extension) {
  Instance* const instance = extensions->instances.find(extension);
  extensions->note(extension, "disabled", "by the user");
  extensions->disabled.turn_off(extension);
  extensions->guards.declare(extension, {});
  if (instance->runs) co_return co_await load_again(extensions, "reload");
  *instance = {.name = extension, .disabled = true, .error = kTurnedOff};
  co_return "";
}

awaitable<std::string> Loading::load_again(SessionExtensionsPtr extensions, std::string reason) {
  const std::vector<SessionExtensionsPtr> renewed =
      co_await renewal_.renew(runners_.of(extensions->session));
  for (const SessionExtensionsPtr& other : renewed)
    if (other != extensions) open_soon(other, "resume");
  co_await recovered(extensions);
  if (extensions->is_open) co_return co_await reload_code(extensions);
  co_await open(extensions, reason);
  for (const Instance& instance : extensions->instances.all())
    if (!instance.runs) co_return instance.name + ": " + instance.error;
  co_return "";
}

awaitable<std::string> Loading::reload_code(SessionExtensionsPtr extensions) {
  Change change(by_session_, extensions);
  Object params{{"session", extensions->session.id.str()},
                {"extensions", extensions->instances.begin_reload(code_.wanted(*extensions))}};
  std::string trouble;
  if (auto connection = co_await runners_.of(extensions->session).ready()) {
    auto reloaded = co_await (*connection)->call("session.reload", std::move(params));
    trouble =
        reloaded ? extensions->instances.take_outcomes(*reloaded) : reloaded.error().message();
  } else {
    trouble = connection.error().message();
  }
  for (const std::string& name : extensions->instances.end_reload())
    extensions->display.drop_status(name);
  change.end();
  extensions->show_offer();
  co_return trouble;
}

// --- closing ---

awaitable<void> Loading::close(SessionExtensionsPtr extensions, std::string reason) {
  co_await by_session_.settled(extensions);
  if (extensions->is_open) co_await close_worker(extensions, std::move(reason));
  co_await close_resources(extensions);
  co_await processes_.close_all(extensions->session.id);
  extensions->drop_shown();
  extensions->record(ExtensionsWere::closed);
}

awaitable<void> Loading::close_all(std::string reason) {
  std::vector<SessionExtensionsPtr> open;
  for (const auto& [id, extensions] : by_session_.all())
    if (extensions->is_open) open.push_back(extensions);
  for (const SessionExtensionsPtr& extensions : open) co_await close(extensions, reason);
}

awaitable<void> Loading::close_worker(SessionExtensionsPtr extensions, std::string reason) {
  const Change change(by_session_, extensions);
  if (const auto connection = runners_.of(extensions->session).connection()) {
    Object params{{"session", extensions->session.id.str()}, {"reason", reason}};
    auto closed = co_await connection->call("session.close", std::move(params));
    if (!closed)
      base::log(base::Level::warning, "a session's extensions did not close cleanly",
                {{"session", extensions->session.name}, {"error", closed.error()}});
  }
  extensions->is_open = false;
  extensions->instances.closed("the session was closed");
}

// Ends what the code did not close.
awaitable<void> Loading::close_resources(SessionExtensionsPtr extensions) {
  std::vector<Resources::Key> left;
  for (const auto& [key, row] : extensions->resources.rows()) left.push_back(key);
  for (const Resources::Key& key : left) {
    const auto connection = connection_to(*extensions);
    auto closed = co_await extensions->resources.close(key, connection);
    if (!closed)
      base::log(base::Level::warning, "cannot close a resource",
                {{"key", key.second}, {"error", closed.error()}});
  }
}

// --- dying ---

void Loading::exited(Runner& runner) {
  for (const auto& [id, extensions] : by_session_.all())
    if (extensions->is_open && runners_.is_for(runner, extensions->session))
      extensions->recovering = true;
}

void Loading::ended(Runner& runner, const std::string& why) {
  for (const auto& [id, extensions] : by_session_.all()) {
    if (!extensions->is_open || !runners_.is_for(runner, extensions->session)) continue;
    extensions->recovering = false;
    worker_ended(extensions, "crashed", why);
    by_session_.wake();
  }
}

void Loading::lose_resources(SessionExtensions& extensions, const std::string& why) {
  // No record names these, so nobody else would end them.
  const std::vector<session::ProcessRecord> strays = extensions.resources.lose(why);
  if (!strays.empty())
    tasks_.spawn([strays]() -> awaitable<void> { co_await end_processes(strays); });
}

void Loading::worker_ended(const SessionExtensionsPtr& extensions, const std::string& reason,
                           const std::string& detail, const std::string& extension) {
  const std::string why = reason + (detail.empty() ? "" : ": " + detail) +
                          (extension.empty() ? "" : ", by " + extension);
  extensions->note("extensions", "worker_ended", why);
  base::log(base::Level::error, "a session's extension worker ended",
            {{"session", extensions->session.name}, {"reason", why}});
  extensions->is_open = false;
  if (extensions->loading) {  // The worker can no longer report the outcome.
    extensions->loading = false;
    by_session_.wake();
  }
  lose_resources(*extensions, why);
  extensions->drop_shown();
  extensions->instances.ended(why);
  if (!may_restart(*extensions, extension, why)) return extensions->show_offer();
  open_soon(extensions, "recover");
}

bool Loading::may_restart(SessionExtensions& extensions, const std::string& extension,
                          const std::string& why) {
  const auto verdict = extensions.disabled.worker_ended(extension, why);
  if (verdict == DisabledExtensions::Verdict::restart) {
    extensions.display.notify("warning", "Restarting extensions: " + why);
    return true;
  }
  extensions.note(extension.empty() ? "extensions" : extension, "disabled", why);
  if (verdict == DisabledExtensions::Verdict::disable_all) {
    extensions.display.notify(
        "error", "Extensions are disabled after three restarts within five minutes (" + why +
                     "). It is not known which one is at fault. Fix them, then type /reload.");
    return false;
  }
  extensions.display.notify(
      "error", extension + " is disabled after three restarts within five minutes (" + why +
                   "). The others keep running. Fix it, then type /reload.");
  return true;
}

}  // namespace extension
