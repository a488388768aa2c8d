// Tells extensions what happens in their session.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "extension/extensions.h"
#include "extension/params.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

// The runner gives handlers 5 seconds and names the late one. This timeout is for a runner that
// fails to do so.
constexpr std::chrono::seconds kTimeToDecide{6};
constexpr std::chrono::milliseconds kBeforeAskingAgain{20};

base::Status not_cancelled(const json::object& decided, const std::string& otherwise) {
  const json::value* const cancel = decided.if_contains("cancel");
  if (cancel == nullptr || *cancel != json::value(true)) return {};
  return base::fail(base::Code::cancelled,
                    Params(decided).optional_text("reason").value_or(otherwise));
}

}  // namespace

// What the handlers decided; null if there are none, or none in time. If the runner dies over it,
// the next runner is asked: a command for a sandbox must not run outside of it because of that.
awaitable<base::Result<json::value>> Extensions::event(SpacePtr space, std::string name,
                                                       Object data, std::string call) {
  for (;;) {
    co_await recovered(space);
    if (auto can = all_can_decide(*space, name); !can) co_return base::fail(can.error());
    auto answer = co_await ask_handlers(space, name, data, call);
    if (answer) co_return as_decision(*space, name, std::move(*answer));
    if (answer.error().code != base::Code::unavailable)
      co_return without_answer(*space, name, answer.error());
    // The dead link may not have been removed yet.
    asio::steady_timer pause(executor_, kBeforeAskingAgain);
    co_await pause.async_wait(asio::use_awaitable);
  }
}

awaitable<base::Result<json::value>> Extensions::ask_handlers(SpacePtr space, std::string name,
                                                              Object data, std::string call) {
  using namespace boost::asio::experimental::awaitable_operators;
  if (!space->listens_to(name)) co_return Json(nullptr);
  const auto link = runner_of(*space).link();
  if (!link || !space->is_open)
    co_return base::fail(base::Code::timed_out, "the extension runner does not answer");
  if (call.empty()) call = "event-" + std::to_string(++last_call_);
  Object params{
      {"session", space->session.id.str()}, {"name", name}, {"data", data}, {"call", call}};
  deciding_[call] = std::chrono::steady_clock::now();
  auto asking = link->call("event", std::move(params));
  auto outcome = co_await (std::move(asking) || until_late(call));
  deciding_.erase(call);
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none)
    co_return base::fail(base::Code::cancelled, "the caller is gone");
  if (outcome.index() == 0) co_return std::get<0>(std::move(outcome));
  link->notify("cancel", {{"call", call}});
  if (!space->is_guarded(name))
    notify(*space, "warning", "The handlers of " + name + " took too long; going on without them.");
  co_return base::fail(base::Code::timed_out, "its worker took too long");
}

// An open question stops a handler's clock; afterwards the handler has its full time again.
awaitable<void> Extensions::until_late(std::string call) {
  asio::steady_timer timer(executor_);
  for (;;) {
    const auto event = deciding_.find(call);
    if (event == deciding_.end()) co_return;
    const auto now = std::chrono::steady_clock::now();
    if (asks(call)) event->second = now;
    if (now - event->second >= kTimeToDecide) co_return;
    timer.expires_at(event->second + kTimeToDecide);
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) co_return;
  }
}

// Does not wait for the handlers.
void Extensions::tell(const session::SessionRow& session, std::string name, Object data) {
  const SpacePtr space = space_of(session);
  if (!space->listens_to(name)) return;
  const auto link = runner_of(*space).link();
  if (!link || !space->is_open) return;
  tasks_.spawn([link, id = session.id.str(), name, data]() -> awaitable<void> {
    Object params{{"session", id}, {"name", name}, {"data", data}};
    (void)co_await link->call("event", std::move(params));
  });
}

void Extensions::tell_terminal(const session::TerminalEntry& held, std::string name) {
  Object data{{"terminalId", held.id.str()}};
  if (held.name) data["name"] = *held.name;
  if (held.exit_code) data["exitCode"] = *held.exit_code;
  tell(held.session, std::move(name), std::move(data));
}

void Extensions::terminal_created(const session::TerminalEntry& held) {
  tell_terminal(held, "terminal_created");
}
void Extensions::terminal_exited(const session::TerminalEntry& held) {
  tell_terminal(held, "terminal_exited");
}
void Extensions::terminal_closed(const session::TerminalEntry& held, session::CloseReason) {
  tell_terminal(held, "terminal_closed");
}
void Extensions::terminal_attached(const session::TerminalEntry& held) {
  tell_terminal(held, "terminal_attached");
}
void Extensions::terminal_orphaned(const session::TerminalEntry& held) {
  tell_terminal(held, "terminal_orphaned");
}

awaitable<base::Status> Extensions::before_create(session::SessionRow session,
                                                  session::TerminalSpec& spec) {
  constexpr const char* kEvent = "terminal_before_create";
  const SpacePtr space = space_of(session);
  read_guards(*space);
  if (space->guards_read && !space->listens_to(kEvent) && !space->is_guarded(kEvent))
    co_return base::Status{};
  json::array argv;
  for (const std::string& word : spec.command) argv.emplace_back(word);
  Object env;
  for (const auto& [name, value] : spec.env) env[name] = value;
  Object data{
      {"argv", argv},
      {"cwd", spec.work_dir.empty() ? sessions_.logins().directory_of(session) : spec.work_dir},
      {"env", env}};
  const auto changed = co_await event(space, kEvent, std::move(data));
  if (!changed) co_return base::fail(changed.error());
  if (!changed->is_object()) co_return base::Status{};
  const Object& changes = changed->get_object();
  if (auto allowed = not_cancelled(changes, "an extension refused this terminal"); !allowed)
    co_return allowed;
  Params params(changes);
  const auto command = params.texts("argv");
  const auto cwd = params.optional_text("cwd");
  const auto pairs = params.pairs("env");
  if (auto fault = params.fault(); !fault) co_return fault;
  if (!command.empty()) spec.command = command;
  if (cwd) spec.work_dir = *cwd;
  if (changes.contains("env")) spec.env = pairs;
  co_return base::Status{};
}

awaitable<base::Status> Extensions::switch_session(session::SessionRow from, std::string to) {
  auto target = sessions_.names().find_or_default(from.user, to);
  if (!target) co_return base::fail(target.error());
  const SpacePtr space = space_of(from);
  Object data{{"from", from.name}, {"to", to}};
  const auto decided = co_await event(space, "session_before_switch", data);
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
