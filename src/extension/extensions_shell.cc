// Lines that people type: shell commands.

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "extension/extensions.h"
#include "extension/params.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;

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
  std::string name = "! " + command.substr(0, kShown);
  if (command.size() > kShown) {
    const auto is_inside = [](char byte) { return (byte & 0xc0) == 0x80; };
    for (std::size_t next = kShown; !name.empty() && is_inside(command[next]); --next)
      name.pop_back();
    name += "…";
  }
  return name;
}

}  // namespace

awaitable<base::Result<RunResult>> Extensions::run_shell(SpacePtr space, std::string command,
                                                         Call call) {
  const session::UserId user = space->session.user;
  if (const auto running = shells_of_.find(user);
      running != shells_of_.end() && running->second >= settings_.user_commands)
    co_return base::fail(base::Code::too_large,
                         "too many commands are running; the limit is " +
                             std::to_string(settings_.user_commands) + " (user_command_limit)",
                         "Wait for one to finish, or cancel it.");
  const auto shell = std::make_shared<Shell>(
      Shell{.process = {}, .cancelled = {executor_, asio::steady_timer::time_point::max()}});
  const std::string id = call.id;
  shells_[id] = shell;
  ++shells_of_[user];
  auto outcome = co_await run_shell(space, std::move(command), std::move(call), shell);
  shells_.erase(id);
  if (const auto running = shells_of_.find(user); --running->second == 0) shells_of_.erase(running);
  co_return outcome;
}

// The decision of the user_bash handlers; null if it is cancelled.
awaitable<base::Result<json::value>> Extensions::ask_about(SpacePtr space, std::string command,
                                                           std::string call,
                                                           std::shared_ptr<Shell> shell) {
  using namespace boost::asio::experimental::awaitable_operators;
  command.erase(0, std::min(command.find_first_not_of(' '), command.size()));
  Object data{{"command", command}, {"cwd", sessions_.logins().directory_of(space->session)}};
  const auto until_cancelled = [shell]() -> awaitable<void> {
    co_await shell->cancelled.async_wait(asio::as_tuple(asio::use_awaitable));
  };
  auto deciding = event(space, "user_bash", std::move(data), std::move(call));
  auto decided = co_await (std::move(deciding) || until_cancelled());
  if (decided.index() == 1) co_return Json(nullptr);
  co_return std::get<0>(std::move(decided));
}

awaitable<base::Result<RunResult>> Extensions::run_shell(SpacePtr space, std::string command,
                                                         Call call, std::shared_ptr<Shell> shell) {
  auto login = sessions_.logins().of(space->session.user);
  if (!login) co_return base::fail(login.error());
  ProcessSpec spec{.owner = {.session = space->session.id, .name = ""},
                   .name = name_of(command),
                   .argv = {login->shell, "-c", command},
                   .env = std::move(login->environment),
                   .cwd = sessions_.logins().directory_of(space->session),
                   .confinement = std::move(login->confinement),
                   .on_output = by_lines(call.progress)};
  const auto answer = co_await ask_about(space, std::move(command), call.id, shell);
  if (shell->is_cancelled)
    co_return base::fail(base::Code::cancelled, "the command was cancelled before it ran");
  if (!answer) co_return base::fail(answer.error());
  if (answer->is_object()) {
    Params params(answer->get_object());
    if (const Json result = params.value("result"); result.is_object()) {
      Params ready(result.get_object());
      co_return RunResult{.text = ready.optional_text("output"),
                          .exit_code = static_cast<int>(ready.number("exitCode", 0)),
                          .session = {}};
    }
    if (auto argv = params.texts("argv"); !argv.empty()) spec.argv = std::move(argv);
    if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  }
  if (auto allowed = call.permit.check(); !allowed) co_return base::fail(allowed.error());
  // Does not record the command itself: it may contain passwords.
  note(*space, "shell command", "run", call.permit.asker());
  auto started = co_await processes_.start(std::move(spec));
  if (!started) co_return base::fail(started.error());
  const std::string id = started->id;
  shell->process = id;
  const auto release = [this, id]() -> awaitable<void> {
    (void)co_await processes_.close(id);  // It may be gone already.
  };
  if (shell->is_cancelled) tasks_.spawn(release);  // Cancelled while it was being started.
  auto code = co_await processes_.wait(id);
  RunResult outcome{.text = processes_.output(id), .exit_code = {}, .session = {}};
  tasks_.spawn(release);
  if (shell->is_cancelled || !code)
    co_return base::fail(base::Code::cancelled, "the command was cancelled");
  outcome.exit_code = *code;
  co_return outcome;
}

}  // namespace extension
