#include "extension/events.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "extension/decisions.h"
#include "extension/params.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;
using Json = json::value;
using Object = json::object;

namespace {

constexpr std::chrono::milliseconds kBeforeAskingAgain{20};

base::Status not_cancelled(const Object& decided, const std::string& otherwise) {
  const Json* const cancel = decided.if_contains("cancel");
  if (cancel == nullptr || *cancel != Json(true)) return {};
  return base::fail(base::Code::cancelled,
                    Params(decided).optional_text("reason").value_or(otherwise));
}

Object describe(const session::TerminalSpec& spec, const std::string& directory) {
  json::array argv;
  for (const std::string& word : spec.command) argv.emplace_back(word);
  Object env;
  for (const auto& [name, value] : spec.env) env[name] = value;
  return {{"argv", argv}, {"cwd", spec.work_dir.empty() ? directory : spec.work_dir}, {"env", env}};
}

base::Status apply(const Object& changes, session::TerminalSpec& spec) {
  Params params(changes);
  const auto command = params.texts("argv");
  const auto cwd = params.optional_text("cwd");
  const auto pairs = params.pairs("env");
  if (auto fault = params.fault(); !fault) return fault;
  if (!command.empty()) spec.command = command;
  if (cwd) spec.work_dir = *cwd;
  if (changes.contains("env")) spec.env = pairs;
  return {};
}

}  // namespace

Events::Events(asio::any_io_executor executor, base::TaskScope& tasks,
               ExtensionsBySession& by_session, Loading& loading, session::Sessions& sessions,
               const base::Clock& clock)
    : executor_(executor),
      tasks_(tasks),
      by_session_(by_session),
      loading_(loading),
      sessions_(sessions),
      times_(clock) {}

awaitable<base::Result<Json>> Events::decide(SessionExtensionsPtr extensions, std::string name,
                                             Object data, std::string call, Patience patience) {
  for (;;) {
    co_await loading_.recovered(extensions);
    if (auto can = all_can_decide(*extensions, name); !can) co_return base::fail(can.error());
    auto answer = co_await ask_handlers(extensions, name, data, call, patience);
    if (answer) co_return as_decision(*extensions, name, std::move(*answer));
    if (answer.error().code != base::Code::unavailable)
      co_return without_answer(*extensions, name, answer.error());
    // The dead connection may not have been removed yet.
    asio::steady_timer pause(executor_, kBeforeAskingAgain);
    co_await pause.async_wait(asio::use_awaitable);
  }
}

awaitable<base::Result<Json>> Events::ask_handlers(SessionExtensionsPtr extensions,
                                                   std::string name, Object data, std::string call,
                                                   Patience patience) {
  using namespace boost::asio::experimental::awaitable_operators;
  if (!extensions->instances.listens_to(name)) co_return Json(nullptr);
  const auto connection = loading_.connection_to(*extensions);
  if (!connection)
    co_return base::fail(base::Code::timed_out, "the extension runner does not answer");
  if (call.empty()) call = "event-" + std::to_string(++last_event_);
  Object params{
      {"session", extensions->session.id.str()}, {"name", name}, {"data", data}, {"call", call}};
  if (patience == Patience::guards) params["patient"] = "guards";
  if (patience == Patience::all) params["patient"] = "all";
  times_.begin(call);
  auto asking = connection->call("event", std::move(params));
  auto outcome = co_await (std::move(asking) || until_late(extensions, call, patience));
  times_.end(call);
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    extensions->questions.close_of(call);
    connection->notify("cancel", {{"call", call}});
    co_return base::fail(base::Code::cancelled, "the caller is gone");
  }
  if (outcome.index() == 0) co_return std::get<0>(std::move(outcome));
  connection->notify("cancel", {{"call", call}});
  if (!extensions->guards.is_guarded(name))
    extensions->display.notify(
        "warning", "The handlers of " + name + " took too long; going on without them.");
  co_return base::fail(base::Code::timed_out, "its worker took too long");
}

awaitable<void> Events::until_late(SessionExtensionsPtr extensions, std::string call,
                                   Patience patience) {
  asio::steady_timer timer(executor_);
  if (patience != Patience::nobody) {
    timer.expires_at(asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    co_return;
  }
  while (const auto left = times_.left(call, extensions->questions.has_any_of(call))) {
    timer.expires_after(*left);
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return;
  }
}

void Events::tell(const session::SessionRow& session, std::string name, Object data) {
  const SessionExtensionsPtr extensions = by_session_.of(session);
  if (!extensions->instances.listens_to(name)) return;
  const auto connection = loading_.connection_to(*extensions);
  if (!connection) return;
  tasks_.spawn([connection, id = session.id.str(), name, data]() -> awaitable<void> {
    Object params{{"session", id}, {"name", name}, {"data", data}};
    (void)co_await connection->call("event", std::move(params));
  });
}

void Events::tell_terminal(const session::TerminalEntry& entry, std::string name) {
  Object data{{"terminalId", entry.id.str()}};
  if (entry.name) data["name"] = *entry.name;
  if (entry.exit_code) data["exitCode"] = *entry.exit_code;
  tell(entry.session, std::move(name), std::move(data));
}

awaitable<base::Status> Events::before_create(session::SessionRow session,
                                              session::TerminalSpec& spec) {
  constexpr const char* kEvent = "terminal_before_create";
  const SessionExtensionsPtr extensions = by_session_.of(session);
  extensions->guards.read();
  if (extensions->guards.are_known() && !extensions->instances.listens_to(kEvent) &&
      !extensions->guards.is_guarded(kEvent))
    co_return base::Status{};
  Object data = describe(spec, sessions_.logins().directory_of(session));
  const auto changed = co_await decide(extensions, kEvent, std::move(data));
  if (!changed) co_return base::fail(changed.error());
  if (!changed->is_object()) co_return base::Status{};
  const Object& changes = changed->get_object();
  if (auto allowed = not_cancelled(changes, "an extension refused this terminal"); !allowed)
    co_return allowed;
  co_return apply(changes, spec);
}

awaitable<base::Status> Events::switch_session(session::SessionRow from, std::string to,
                                               session::Scope scope) {
  auto target = sessions_.names().find_or_default({from.user, scope}, to);
  if (!target) co_return base::fail(target.error());
  const SessionExtensionsPtr extensions = by_session_.of(from);
  Object data{{"from", from.name}, {"to", to}};
  const auto decided = co_await decide(extensions, "session_before_switch", data);
  if (!decided) co_return base::fail(decided.error());
  if (decided->is_object())
    if (auto allowed = not_cancelled(decided->get_object(),
                                     "an extension refused to leave session " + from.name);
        !allowed)
      co_return allowed;
  tell(from, "session_switch", data);
  tell(*target, "session_switch", data);
  co_return base::Status{};
}

}  // namespace extension
