// Terminals and processes that the keeper holds for extensions.

#include <algorithm>

#include "extension/extensions.h"
#include "extension/params.h"
#include "vt/capture.h"

namespace extension {

using boost::asio::awaitable;
using session::TerminalEntry;

namespace {

json::object terminal_info(const TerminalEntry& held) {
  json::object terminal{{"terminalId", held.id.str()},
                        {"session", held.session.name},
                        {"status", held.exit_code ? "exited" : "running"},
                        {"rows", held.terminal->screen().size().rows},
                        {"cols", held.terminal->screen().size().cols},
                        {"pid", held.terminal->info().pid}};
  if (held.name) terminal["name"] = *held.name;
  if (held.exit_code) terminal["exitCode"] = *held.exit_code;
  return terminal;
}

json::object process_info(const ProcessInfo& process) {
  json::object result{{"id", process.id}, {"pid", process.pid}};
  if (!process.name.empty()) result["name"] = process.name;
  if (process.exit_code) result["exitCode"] = *process.exit_code;
  return result;
}

std::vector<std::string> environment_of(
    std::vector<std::string> environment,
    const std::vector<std::pair<std::string, std::string>>& more) {
  for (const auto& [name, value] : more) environment.push_back(name + "=" + value);
  return environment;
}

}  // namespace

// --- terminals ---

session::Permit Extensions::permit_of(const Caller& caller) {
  return session::Permit("by the extension " + caller.key.name);
}

base::Result<TerminalEntry*> Extensions::terminal_of(const Caller& caller, const Object& message) {
  Params params(message);
  const std::string id = params.text("terminalId");
  if (auto fault = params.fault(); !fault) return base::fail(fault.error());
  auto held = sessions_.terminals().find(caller.space->session.user, id);
  if (held && (*held)->session.id == caller.key.session) return held;
  return base::fail(base::Code::not_found, "there is no terminal " + id + " in this session");
}

awaitable<Extensions::Answer> Extensions::terminal_create(Caller caller, Object message) {
  Params params(message);
  session::TerminalSpec spec;
  spec.session = caller.space->session.name;
  spec.permit = permit_of(caller);
  spec.command = params.texts("command");
  spec.work_dir = params.optional_text("cwd").value_or("");
  spec.env = params.pairs("env");
  spec.name = params.optional_text("name");
  spec.size = {
      .cols = static_cast<int>(std::clamp<std::int64_t>(params.number("cols", 80), 1, 1000)),
      .rows = static_cast<int>(std::clamp<std::int64_t>(params.number("rows", 24), 1, 1000))};
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  auto held = co_await sessions_.launcher().create(caller.space->session.user, std::move(spec));
  if (!held) co_return base::fail(held.error());
  co_return Json(terminal_info(**held));
}

awaitable<Extensions::Answer> Extensions::terminal_list(Caller caller, Object) {
  json::array list;
  for (const TerminalEntry* held : sessions_.terminals().list(caller.space->session.user))
    if (held->session.id == caller.key.session) list.push_back(terminal_info(*held));
  co_return Json(std::move(list));
}

awaitable<Extensions::Answer> Extensions::terminal_write(Caller caller, Object message) {
  auto held = terminal_of(caller, message);
  if (!held) co_return base::fail(held.error());
  Params params(message);
  const std::string text = params.text("text");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  if (auto written = (*held)->terminal->write(text); !written)
    co_return base::fail(written.error());
  co_return Json(nullptr);
}

awaitable<Extensions::Answer> Extensions::terminal_text(Caller caller, Object message) {
  auto held = terminal_of(caller, message);
  if (!held) co_return base::fail(held.error());
  co_return Json(vt::text((*held)->terminal->screen()));
}

awaitable<Extensions::Answer> Extensions::terminal_close(Caller caller, Object message) {
  auto held = terminal_of(caller, message);
  if (!held) co_return base::fail(held.error());
  std::string id = (*held)->id.str();
  auto closed = co_await sessions_.closer().close(caller.space->session.user, std::move(id),
                                                  session::CloseReason::user_requested, nullptr,
                                                  permit_of(caller));
  if (!closed) co_return base::fail(closed.error());
  co_return Json(nullptr);
}

// --- processes ---

base::Result<std::string> Extensions::process_of(const Caller& caller, const Object& message) {
  Params params(message);
  const std::string id = params.text("id");
  if (auto fault = params.fault(); !fault) return base::fail(fault.error());
  const ProcessInfo* const process = processes_.find(id);
  if (process != nullptr && process->owner == caller.key) return id;
  return base::fail(base::Code::not_found, "there is no process " + id);
}

awaitable<Extensions::Answer> Extensions::process_start(Caller caller, Object message) {
  Params params(message);
  ProcessSpec spec{.owner = caller.key,
                   .name = params.optional_text("name").value_or(""),
                   .argv = params.texts("argv"),
                   .env = environment_of(settings_.runner.environment, params.pairs("env")),
                   .cwd = params.optional_text("cwd").value_or(
                       sessions_.logins().directory_of(caller.space->session)),
                   .on_output = {}};
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  if (spec.argv.empty()) co_return base::fail(base::Code::invalid_argument, "argv is empty");
  auto started = co_await processes_.start(std::move(spec));
  if (!started) co_return base::fail(started.error());
  co_return Json(process_info(*started));
}

awaitable<Extensions::Answer> Extensions::process_output(Caller caller, Object message) {
  auto id = process_of(caller, message);
  if (!id) co_return base::fail(id.error());
  Object result{{"text", processes_.output(*id)}};
  if (const auto code = processes_.find(*id)->exit_code) result["exitCode"] = *code;
  co_return Json(std::move(result));
}

awaitable<Extensions::Answer> Extensions::process_wait(Caller caller, Object message) {
  auto id = process_of(caller, message);
  if (!id) co_return base::fail(id.error());
  auto code = co_await processes_.wait(*id);
  if (!code) co_return base::fail(code.error());
  co_return Json(Object{{"exitCode", *code}});
}

awaitable<Extensions::Answer> Extensions::process_kill(Caller caller, Object message) {
  auto id = process_of(caller, message);
  if (!id) co_return base::fail(id.error());
  auto closed = co_await processes_.close(*id);
  if (!closed) co_return base::fail(closed.error());
  co_return Json(nullptr);
}

awaitable<Extensions::Answer> Extensions::process_list(Caller caller, Object) {
  json::array list;
  for (const ProcessInfo& process : processes_.of(caller.key))
    list.push_back(process_info(process));
  co_return Json(std::move(list));
}

}  // namespace extension
