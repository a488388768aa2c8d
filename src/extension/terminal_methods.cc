// Terminals of the session. An extension reaches those of no other session.

#include <algorithm>

#include "extension/params.h"
#include "extension/runner_methods.h"
#include "vt/capture.h"

namespace extension {

namespace json = boost::json;
using boost::asio::awaitable;
using session::TerminalEntry;

namespace {

json::object describe(const TerminalEntry& entry) {
  json::object terminal{{"terminalId", entry.id.str()},
                        {"session", entry.session.name},
                        {"status", entry.exit_code ? "exited" : "running"},
                        {"rows", entry.terminal->screen().size().rows},
                        {"cols", entry.terminal->screen().size().cols},
                        {"pid", entry.terminal->info().pid}};
  if (entry.name) terminal["name"] = *entry.name;
  if (entry.exit_code) terminal["exitCode"] = *entry.exit_code;
  return terminal;
}

session::Permit permit_of(const Caller& caller) {
  return session::Permit("by the extension " + caller.key.name);
}

base::Result<TerminalEntry*> find(session::Sessions& sessions, const Caller& caller,
                                  const json::object& message) {
  Params params(message);
  const std::string id = params.text("terminalId");
  if (auto fault = params.fault(); !fault) return base::fail(fault.error());
  auto entry = sessions.terminals().find(caller.extensions->session.user, id);
  if (entry && (*entry)->session.id == caller.key.session) return entry;
  return base::fail(base::Code::not_found, "there is no terminal " + id + " in this session");
}

awaitable<MethodAnswer> create(MethodParts parts, Caller caller, json::object message) {
  Params params(message);
  session::TerminalSpec spec;
  spec.session = caller.extensions->session.name;
  spec.permit = permit_of(caller);
  spec.command = params.texts("command");
  spec.work_dir = params.optional_text("cwd").value_or("");
  spec.env = params.pairs("env");
  spec.name = params.optional_text("name");
  spec.size = {
      .cols = static_cast<int>(std::clamp<std::int64_t>(params.number("cols", 80), 1, 1000)),
      .rows = static_cast<int>(std::clamp<std::int64_t>(params.number("rows", 24), 1, 1000))};
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  auto entry =
      co_await parts.sessions.launcher().create(caller.extensions->session.user, std::move(spec));
  if (!entry) co_return base::fail(entry.error());
  co_return json::value(describe(**entry));
}

awaitable<MethodAnswer> list(MethodParts parts, Caller caller, json::object) {
  json::array list;
  for (const TerminalEntry* entry :
       parts.sessions.terminals().living(caller.extensions->session.user))
    if (entry->session.id == caller.key.session) list.push_back(describe(*entry));
  co_return json::value(std::move(list));
}

awaitable<MethodAnswer> write(MethodParts parts, Caller caller, json::object message) {
  auto entry = find(parts.sessions, caller, message);
  if (!entry) co_return base::fail(entry.error());
  Params params(message);
  const std::string text = params.text("text");
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  if (auto written = (*entry)->terminal->typing().send(text); !written)
    co_return base::fail(written.error());
  co_return json::value(nullptr);
}

awaitable<MethodAnswer> text(MethodParts parts, Caller caller, json::object message) {
  auto entry = find(parts.sessions, caller, message);
  if (!entry) co_return base::fail(entry.error());
  co_return json::value(vt::text((*entry)->terminal->screen()));
}

awaitable<MethodAnswer> close(MethodParts parts, Caller caller, json::object message) {
  auto entry = find(parts.sessions, caller, message);
  if (!entry) co_return base::fail(entry.error());
  std::string id = (*entry)->id.str();
  auto closed = co_await parts.sessions.closer().close(
      caller.extensions->session.user, std::move(id), session::CloseReason::user_requested, nullptr,
      permit_of(caller));
  if (!closed) co_return base::fail(closed.error());
  co_return json::value(nullptr);
}

}  // namespace

std::vector<Method> terminal_methods() {
  return {{"terminal.create", create},
          {"terminal.list", list},
          {"terminal.write", write},
          {"terminal.text", text},
          {"terminal.close", close}};
}

}  // namespace extension
