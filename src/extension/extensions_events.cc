// What happens in a session, told to its extensions.

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "extension/extensions.h"
#include "extension/params.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

constexpr std::chrono::seconds kTimeToDecide{5};
constexpr std::chrono::milliseconds kBeforeAskingAgain{20};

}  // namespace

// What the handlers decided; null if there are none, or none in time. When the runner dies over it
// the next one is asked: a command for a sandbox must not run outside because of that.
awaitable<json::value> Extensions::event(SpacePtr space, std::string name, Object data,
                                         std::string call) {
  for (;;) {
    co_await recovered(space);
    auto decided = co_await ask_handlers(space, name, data, call);
    if (decided) co_return std::move(*decided);
    if (decided.error().code != base::Code::unavailable) co_return nullptr;
    // The link may not have been taken away yet.
    asio::steady_timer pause(executor_, kBeforeAskingAgain);
    co_await pause.async_wait(asio::use_awaitable);
  }
}

awaitable<base::Result<json::value>> Extensions::ask_handlers(SpacePtr space, std::string name,
                                                              Object data, std::string call) {
  using namespace boost::asio::experimental::awaitable_operators;
  const auto link = runner_of(*space).link();
  if (!link || !space->is_open || !space->listens_to(name)) co_return Json(nullptr);
  if (call.empty()) call = "event-" + std::to_string(++last_call_);
  Object params{
      {"session", space->session.id.str()}, {"name", name}, {"data", data}, {"call", call}};
  // A question that a handler asks has its own time.
  const auto give_up = [this, call]() -> awaitable<void> {
    asio::steady_timer timer(executor_);
    do {
      timer.expires_after(kTimeToDecide);
      co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
      const auto state = co_await asio::this_coro::cancellation_state;
      if (state.cancelled() != asio::cancellation_type::none) co_return;
    } while (asks(call));
  };
  auto asking = link->call("event", std::move(params));
  auto outcome = co_await (std::move(asking) || give_up());
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) co_return nullptr;
  if (outcome.index() == 1) {
    link->notify("cancel", {{"call", call}});
    notify(*space, "warning",
           "The handlers of " + name + " took too long; it goes on without them.");
    co_return Json(nullptr);
  }
  co_return std::get<0>(std::move(outcome));
}

// Nobody waits for what the handlers make of it.
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

void Extensions::tell_terminal(const session::Held& held, std::string name) {
  Object data{{"terminalId", held.id.str()}};
  if (held.name) data["name"] = *held.name;
  if (held.exit_code) data["exitCode"] = *held.exit_code;
  tell(held.session, std::move(name), std::move(data));
}

void Extensions::terminal_created(const session::Held& held) {
  tell_terminal(held, "terminal_created");
}
void Extensions::terminal_exited(const session::Held& held) {
  tell_terminal(held, "terminal_exited");
}
void Extensions::terminal_closed(const session::Held& held, session::CloseReason) {
  tell_terminal(held, "terminal_closed");
}
void Extensions::terminal_attached(const session::Held& held) {
  tell_terminal(held, "terminal_attached");
}
void Extensions::terminal_orphaned(const session::Held& held) {
  tell_terminal(held, "terminal_orphaned");
}

awaitable<void> Extensions::before_create(session::SessionRow session,
                                          session::TerminalSpec& spec) {
  const SpacePtr space = space_of(session);
  if (!space->listens_to("terminal_before_create")) co_return;
  json::array argv;
  for (const std::string& word : spec.command) argv.emplace_back(word);
  Object env;
  for (const auto& [name, value] : spec.env) env[name] = value;
  Object data{{"argv", argv},
              {"cwd", spec.work_dir.empty() ? sessions_.directory_of(session) : spec.work_dir},
              {"env", env}};
  const Json changed = co_await event(space, "terminal_before_create", std::move(data));
  if (!changed.is_object()) co_return;
  Params params(changed.get_object());
  const auto command = params.texts("argv");
  const auto cwd = params.optional_text("cwd");
  const auto pairs = params.pairs("env");
  if (auto fault = params.fault(); !fault)
    co_return notify(*space, "error", "terminal_before_create: " + fault.error().message());
  if (!command.empty()) spec.command = command;
  if (cwd) spec.work_dir = *cwd;
  if (changed.get_object().contains("env")) spec.env = pairs;
}

awaitable<base::Status> Extensions::switch_session(session::SessionRow from, std::string to) {
  auto target = sessions_.find_session(from.user, to);
  if (!target) co_return base::fail(target.error());
  const SpacePtr space = space_of(from);
  Object data{{"from", from.name}, {"to", to}};
  const Json decided = co_await event(space, "session_before_switch", data);
  if (decided.is_object())
    if (const Json* cancel = decided.get_object().if_contains("cancel");
        cancel != nullptr && cancel->is_bool() && cancel->get_bool())
      co_return base::fail(base::Code::cancelled,
                           Params(decided.get_object())
                               .optional_text("reason")
                               .value_or("an extension of " + from.name + " wants to stay"));
  tell(from, "session_switch", data);
  tell(*target, "session_switch", data);
  co_return base::Status{};
}

}  // namespace extension
