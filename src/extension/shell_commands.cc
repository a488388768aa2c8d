#include "extension/shell_commands.h"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/event.h"
#include "base/utf8.h"
#include "extension/params.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;
using Json = json::value;

namespace {

// Passes complete lines on; the rest is in the result.
std::function<void(std::string_view)> by_lines(std::function<void(std::string_view)> take) {
  if (!take) return {};
  return [take, rest = std::string()](std::string_view text) mutable {
    rest += text;
    const std::size_t end = rest.rfind('\n');
    if (end == std::string::npos) return;
    take(std::string_view(rest).substr(0, end + 1));
    rest.erase(0, end + 1);
  };
}

// The process name for a shell command, shortened because the keeper limits it.
std::string name_of(const std::string& command) {
  constexpr std::size_t kShown = 100;
  std::string name = "! ";
  name += base::cut_utf8(command, kShown);
  if (command.size() > kShown) name += "…";
  return name;
}

// What follows the first `!`. With another one right behind it, no agent is to learn of the command.
bool is_kept_from_agents(const std::string& typed) {
  return typed.starts_with('!');
}

std::string command_in(std::string typed) {
  if (is_kept_from_agents(typed)) typed.erase(0, 1);
  typed.erase(0, std::min(typed.find_first_not_of(' '), typed.size()));
  return typed;
}

// An extension runs the command itself: its code waits in the runner.
bool is_taken_over(const Json& decision) {
  return decision.is_object() && decision.get_object().contains("operations");
}

RunResult result_of(const json::object& message) {
  Params params(message);
  return {.text = params.optional_text("output"),
          .exit_code = static_cast<int>(params.number("exitCode", 0)),
          .session = {}};
}

// What an extension decided: a result in place of the command, or another program to run.
base::Result<std::optional<RunResult>> apply(const Json& decision, ProcessSpec& spec) {
  if (!decision.is_object()) return std::nullopt;
  Params params(decision.get_object());
  if (const Json result = params.value("result"); result.is_object())
    return result_of(result.get_object());
  if (auto argv = params.texts("argv"); !argv.empty()) spec.argv = std::move(argv);
  if (auto fault = params.fault(); !fault) return base::fail(fault.error());
  return std::nullopt;
}

}  // namespace

awaitable<base::Result<RunResult>> ShellCommands::run(SessionExtensionsPtr extensions,
                                                      std::string command, Call call) {
  const session::UserId user = extensions->session.user;
  if (const auto count = per_user_.find(user);
      count != per_user_.end() && count->second >= most_per_user_)
    co_return base::fail(base::Code::too_large,
                         "too many commands are running; the limit is " +
                             std::to_string(most_per_user_) + " (user_command_limit)",
                         "Wait for one to finish, or cancel it.");
  const auto running =
      std::make_shared<Running>(Running{.process = {}, .cancelled = base::Event(executor_)});
  const std::string id = call.id;
  running_[id] = running;
  ++per_user_[user];
  auto outcome = co_await decide_and_run(extensions, std::move(command), std::move(call), running);
  running_.erase(id);
  if (const auto count = per_user_.find(user); --count->second == 0) per_user_.erase(count);
  co_return outcome;
}

void ShellCommands::cancel(const std::string& call) {
  const auto found = running_.find(call);
  if (found == running_.end()) return;
  Running& running = *found->second;
  running.is_cancelled = true;
  running.cancelled.notify();
  if (!running.process.empty()) processes_.close_soon(running.process);
}

awaitable<void> ShellCommands::until_cancelled(RunningPtr running) {
  co_await running->cancelled.wait();
}

// The decision of the user_bash handlers; null if it is cancelled.
awaitable<base::Result<Json>> ShellCommands::ask_about(SessionExtensionsPtr extensions,
                                                       std::string command, std::string call,
                                                       RunningPtr running) {
  using namespace boost::asio::experimental::awaitable_operators;
  json::object data{{"excludeFromContext", is_kept_from_agents(command)},
                    {"command", command_in(std::move(command))},
                    {"cwd", sessions_.logins().directory_of(extensions->session)}};
  auto deciding =
      events_.decide(extensions, "user_bash", std::move(data), std::move(call), Patience::guards);
  auto decided = co_await (std::move(deciding) || until_cancelled(running));
  if (decided.index() == 1) co_return Json(nullptr);
  co_return std::get<0>(std::move(decided));
}

// Nothing else runs it: not if the extension fails, and not if it is gone.
awaitable<base::Result<RunResult>> ShellCommands::run_by_extension(SessionExtensionsPtr extensions,
                                                                   std::string command, Call call,
                                                                   RunningPtr running) {
  using namespace boost::asio::experimental::awaitable_operators;
  const auto connection = loading_.connection_to(*extensions);
  if (!connection)
    co_return base::fail(base::Code::unavailable,
                         "the extension that was to run the command is not running");
  json::object params{{"session", extensions->session.id.str()},
                      {"command", command_in(std::move(command))},
                      {"cwd", sessions_.logins().directory_of(extensions->session)}};
  call.progress = by_lines(std::move(call.progress));
  auto calling = calls_.run(connection, "shell.run", std::move(params), std::move(call));
  auto outcome = co_await (std::move(calling) || until_cancelled(running));
  if (outcome.index() == 1)
    co_return base::fail(base::Code::cancelled, "the command was cancelled");
  const auto& result = std::get<0>(outcome);
  if (!result) co_return base::fail(result.error());
  if (!result->is_object())
    co_return base::fail(base::Code::corrupt, "the runner sent an invalid answer");
  co_return result_of(result->get_object());
}

awaitable<base::Result<RunResult>> ShellCommands::decide_and_run(SessionExtensionsPtr extensions,
                                                                 std::string command, Call call,
                                                                 RunningPtr running) {
  auto login = sessions_.logins().of(extensions->session.user);
  if (!login) co_return base::fail(login.error());
  ProcessSpec spec{.owner = {.session = extensions->session.id, .name = ""},
                   .name = name_of(command_in(command)),
                   .argv = {login->shell, "-c", command_in(command)},
                   .env = std::move(login->environment),
                   .cwd = sessions_.logins().directory_of(extensions->session),
                   .confinement = std::move(login->confinement),
                   .on_output = by_lines(call.progress)};
  const auto decision = co_await ask_about(extensions, command, call.id, running);
  if (running->is_cancelled)
    co_return base::fail(base::Code::cancelled, "the command was cancelled before it ran");
  if (!decision) co_return base::fail(decision.error());
  auto result = apply(*decision, spec);
  if (!result) co_return base::fail(result.error());
  if (*result) co_return **std::move(result);
  if (auto allowed = call.permit.check(); !allowed) co_return base::fail(allowed.error());
  // Does not record the command itself: it may contain passwords.
  extensions->note("shell command", "run", call.permit.asker());
  if (is_taken_over(*decision))
    co_return co_await run_by_extension(extensions, std::move(command), std::move(call), running);
  co_return co_await run_process(std::move(spec), running);
}

awaitable<base::Result<RunResult>> ShellCommands::run_process(ProcessSpec spec,
                                                              RunningPtr running) {
  auto started = co_await processes_.start(std::move(spec));
  if (!started) co_return base::fail(started.error());
  const std::string id = started->id;
  running->process = id;
  if (running->is_cancelled) processes_.close_soon(id);  // While it was being started.
  auto code = co_await processes_.wait(id);
  RunResult outcome{.text = processes_.output(id), .exit_code = {}, .session = {}};
  processes_.close_soon(id);
  if (running->is_cancelled || !code)
    co_return base::fail(base::Code::cancelled, "the command was cancelled");
  outcome.exit_code = *code;
  co_return outcome;
}

}  // namespace extension
