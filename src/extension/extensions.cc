#include "extension/extensions.h"

#include "extension/built_ins.h"
#include "extension/to_the_end.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;
using session::SessionRow;
using session::TerminalEntry;
using Object = json::object;

Extensions::Extensions(asio::any_io_executor executor, keeper::KeeperClient& keeper,
                       session::Store& store, session::Sessions& sessions, Settings settings)
    : keeper_(keeper),
      sessions_(sessions),
      settings_(std::move(settings)),
      tasks_(executor),
      processes_(executor, keeper),
      by_session_(executor, store, sessions, clock_),
      runners_(executor, processes_, settings_, handlers()),
      loading_(tasks_, by_session_, runners_, processes_, ExtensionCode(store, sessions, settings_),
               sessions, settings_),
      events_(executor, tasks_, by_session_, loading_, sessions, clock_),
      agents_(by_session_, loading_, events_),
      shell_(executor, processes_, sessions, loading_, calls_, events_, settings_.user_commands),
      command_line_(loading_, runners_, calls_, shell_, events_, sessions, settings_),
      api_(by_session_, loading_, calls_,
           {.store = store,
            .sessions = sessions,
            .processes = processes_,
            .events = events_,
            .environment = settings_.runner.environment}) {}

Runners::Handlers Extensions::handlers() {
  return {.hello = [this](Runner& runner, const auto& connection,
                          const auto& sessions) { loading_.hello(runner, connection, sessions); },
          .request =
              [this](std::string method, Object params) {
                return api_.request(std::move(method), std::move(params));
              },
          .notification = [this](std::string_view method,
                                 const Object& params) { api_.notified(method, params); },
          .exited = [this](Runner& runner) { loading_.exited(runner); },
          .ended = [this](Runner& runner, const std::string& why) { loading_.ended(runner, why); }};
}

awaitable<base::Status> Extensions::start(base::Fd listener) {
  auto children = co_await keeper_.list();
  if (!children) co_return base::fail(children.error());
  for (const keeper::ChildInfo& info : *children) (void)co_await processes_.adopt(info);
  for (const ProcessInfo& process : processes_.all()) {
    if (runners_.adopt(process)) continue;
    if (process.owner.name.empty())  // A `! command` or similar whose caller is gone.
      processes_.close_when_ended(process.id);
  }
  sessions_.watchers().add_for_all_users(*this);
  sessions_.set_hooks(
      {.before_create =
           [this](SessionRow session, session::TerminalSpec& spec) {
             return events_.before_create(std::move(session), spec);
           },
       .before_close = [this](SessionRow session) { return before_close(std::move(session)); }});
  if (settings_.off.empty()) runners_.accept_at(std::move(listener));
  tasks_.spawn([this]() -> awaitable<void> { co_await loading_.open_all(); });
  co_return base::Status{};
}

awaitable<void> Extensions::quit() {
  co_await loading_.close_all("quit");
}

awaitable<void> Extensions::stop() {
  sessions_.set_hooks({});
  sessions_.watchers().remove(*this);
  // If the runner is gone later, the next daemon knows that all was well when this one ended.
  for (const auto& [id, extensions] : by_session_.all())
    if (extensions->is_open) extensions->record(session::ExtensionsWere::closed);
  tasks_.cancel();
  co_await runners_.stop();
  co_await tasks_.join();
  co_await processes_.stop();
}

void Extensions::child_exited(const keeper::ChildId& id, const keeper::ChildExit& exit) {
  processes_.child_exited(id, exit);
}

awaitable<void> Extensions::look_again() {
  co_await processes_.look_again();
}

// --- what fronts show ---

void Extensions::show(Surface& surface, const SessionRow& session) {
  hide(surface);
  const SessionExtensionsPtr extensions = by_session_.of(session);
  extensions->display.add(surface);
  extensions->questions.show_all(surface, session.name);
}

void Extensions::hide(Surface& surface) {
  for (const auto& [id, extensions] : by_session_.all()) extensions->display.remove(surface);
}

bool Extensions::answer(const session::Reach& reach, const std::string& question,
                        json::value value) {
  for (const auto& [id, extensions] : by_session_.all())
    if (reach.has(extensions->session) && extensions->questions.answer(question, value))
      return true;
  return false;
}

std::vector<CommandInfo> Extensions::commands(const SessionRow& session) {
  return all_commands(by_session_.of(session)->instances);
}

std::vector<std::pair<std::string, Tool>> Extensions::tools(const SessionRow& session) {
  return by_session_.of(session)->instances.tools();
}

std::vector<session::ResourceRow> Extensions::resources(const SessionRow& session) {
  std::vector<session::ResourceRow> rows;
  for (const auto& [key, row] : by_session_.of(session)->resources.rows()) rows.push_back(row);
  return rows;
}

// --- what fronts ask for ---

awaitable<base::Result<RunResult>> Extensions::run(SessionRow session, std::string line,
                                                   Call call) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  return to_the_end<RunResult>(
      tasks_, [this, extensions, line, call] { return command_line_.run(extensions, line, call); });
}

awaitable<base::Result<json::value>> Extensions::call_tool(SessionRow session, std::string name,
                                                           json::value arguments, Call call) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  return to_the_end<json::value>(tasks_, [this, extensions, name, arguments, call] {
    return command_line_.run_tool(extensions, name, arguments, call);
  });
}

void Extensions::cancel(const std::string& call) {
  calls_.cancel(call);
  for (const auto& [id, extensions] : by_session_.all()) extensions->questions.close_of(call);
  runners_.notify_all("cancel", {{"call", call}});
  shell_.cancel(call);
}

awaitable<base::Status> Extensions::switch_session(SessionRow from, std::string to,
                                                   session::Scope scope) {
  return events_.switch_session(std::move(from), std::move(to), std::move(scope));
}

awaitable<base::Status> Extensions::close_resource(SessionRow session, std::string extension,
                                                   std::string key) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  Resources::Key which(std::move(extension), std::move(key));
  const auto connection = loading_.connection_to(*extensions);
  auto closed = co_await extensions->resources.close(std::move(which), connection);
  if (!closed) co_return base::fail(closed.error());
  co_return base::Status{};
}

// --- what happens in sessions ---

awaitable<void> Extensions::before_close(SessionRow session) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  // A named variable, because g++ 12 destroys captures of a lambda inside a co_await twice.
  const std::function<awaitable<base::Result<bool>>()> work =
      [this, extensions]() -> awaitable<base::Result<bool>> {
    co_await loading_.close(extensions, "close");
    co_return true;
  };
  (void)co_await to_the_end<bool>(tasks_, work);
}

void Extensions::terminal_created(const TerminalEntry& entry) {
  events_.tell_terminal(entry, "terminal_created");
}

void Extensions::terminal_exited(const TerminalEntry& entry) {
  events_.tell_terminal(entry, "terminal_exited");
}

void Extensions::terminal_closed(const TerminalEntry& entry, session::CloseReason) {
  events_.tell_terminal(entry, "terminal_closed");
}

void Extensions::terminal_attached(const TerminalEntry& entry) {
  events_.tell_terminal(entry, "terminal_attached");
}

void Extensions::terminal_orphaned(const TerminalEntry& entry) {
  events_.tell_terminal(entry, "terminal_orphaned");
}

void Extensions::session_created(const SessionRow& session) {
  loading_.open_soon(by_session_.of(session), "new");
}

void Extensions::session_renamed(const SessionRow& session, const std::string&) {
  loading_.renamed(session);
}

void Extensions::session_closed(const SessionRow& session) {
  agents_.session_closed(session);
  by_session_.forget(session.id);
  runners_.end_own(session.id);
}

}  // namespace extension
