// Processes that the keeper holds for an extension. It reaches those of no other one.

#include "extension/params.h"
#include "extension/runner_methods.h"

namespace extension {

namespace json = boost::json;
using boost::asio::awaitable;

namespace {

json::object describe(const ProcessInfo& process) {
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

base::Result<std::string> find(const Processes& processes, const Caller& caller,
                               const json::object& message) {
  Params params(message);
  const std::string id = params.text("id");
  if (auto fault = params.fault(); !fault) return base::fail(fault.error());
  const ProcessInfo* const process = processes.find(id);
  if (process != nullptr && process->owner == caller.key) return id;
  return base::fail(base::Code::not_found, "there is no process " + id);
}

awaitable<MethodAnswer> start(MethodParts parts, Caller caller, json::object message) {
  Params params(message);
  ProcessSpec spec{.owner = caller.key,
                   .name = params.optional_text("name").value_or(""),
                   .argv = params.texts("argv"),
                   .env = environment_of(parts.environment, params.pairs("env")),
                   .cwd = params.optional_text("cwd").value_or(
                       parts.sessions.logins().directory_of(caller.extensions->session)),
                   .on_output = {}};
  if (auto fault = params.fault(); !fault) co_return base::fail(fault.error());
  if (spec.argv.empty()) co_return base::fail(base::Code::invalid_argument, "argv is empty");
  auto started = co_await parts.processes.start(std::move(spec));
  if (!started) co_return base::fail(started.error());
  co_return json::value(describe(*started));
}

awaitable<MethodAnswer> output(MethodParts parts, Caller caller, json::object message) {
  auto id = find(parts.processes, caller, message);
  if (!id) co_return base::fail(id.error());
  json::object result{{"text", parts.processes.output(*id)}};
  if (const auto code = parts.processes.find(*id)->exit_code) result["exitCode"] = *code;
  co_return json::value(std::move(result));
}

awaitable<MethodAnswer> wait(MethodParts parts, Caller caller, json::object message) {
  auto id = find(parts.processes, caller, message);
  if (!id) co_return base::fail(id.error());
  auto code = co_await parts.processes.wait(*id);
  if (!code) co_return base::fail(code.error());
  co_return json::value(json::object{{"exitCode", *code}});
}

awaitable<MethodAnswer> kill(MethodParts parts, Caller caller, json::object message) {
  auto id = find(parts.processes, caller, message);
  if (!id) co_return base::fail(id.error());
  auto closed = co_await parts.processes.close(*id);
  if (!closed) co_return base::fail(closed.error());
  co_return json::value(nullptr);
}

awaitable<MethodAnswer> list(MethodParts parts, Caller caller, json::object) {
  json::array list;
  for (const ProcessInfo& process : parts.processes.of(caller.key))
    list.push_back(describe(process));
  co_return json::value(std::move(list));
}

}  // namespace

std::vector<Method> process_methods() {
  return {{"process.start", start},
          {"process.output", output},
          {"process.wait", wait},
          {"process.kill", kill},
          {"process.list", list}};
}

}  // namespace extension
