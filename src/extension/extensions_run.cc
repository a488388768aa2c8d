// Lines that people type: commands of extensions, and built-in ones.

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "base/id.h"
#include "extension/extensions.h"
#include "extension/params.h"
#include "extension/process_record.h"
#include "session/row_values.h"

namespace extension {

namespace asio = boost::asio;
using asio::awaitable;
using session::ResourceState;

namespace {

constexpr std::chrono::seconds kTimeToConfirm{60};
constexpr std::size_t kLogShown = 30;

struct BuiltIn {
  std::string_view name;
  std::string_view use;
  std::string_view meaning;
};
constexpr std::array kBuiltIns{
    BuiltIn{"help", "/help", "list all commands"},
    BuiltIn{"reload", "/reload", "reload the extensions; what they hold stays"},
    BuiltIn{"disable", "/disable NAME", "turn an extension off until the next /reload"},
    BuiltIn{"resources", "/resources [log]", "list the session's resources, or their log"},
    BuiltIn{"cleanup", "/cleanup [KEY]", "close orphaned and lost resources"},
    BuiltIn{"new", "/new [NAME] [--isolation process]",
            "create a session and switch to it, optionally with its own extension process"},
    BuiltIn{"switch", "/switch NAME", "switch to another session"},
};

constexpr std::string_view kOwnName = "holdfast";  // The extension name of built-in commands.

RunResult said(std::string text) {
  return {.text = std::move(text), .exit_code = {}, .session = {}};
}

std::string clock_time(base::WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[16];
  return {text, std::strftime(text, sizeof text, "%H:%M:%S", &parts)};
}

std::string line_of(const session::ResourceRow& row) {
  std::string line =
      "  " + row.extension + "/" + row.key + "  " + std::string(session::to_string(row.state));
  if (!row.description.empty()) line += "  " + row.description;
  std::string pids;
  for (const session::ProcessRecord& process : row.processes)
    if (is_running(process)) pids += " " + std::to_string(process.pid);
  if (!pids.empty()) line += "  (processes" + pids + ")";
  return line;
}

// The arguments of `/new`: a name or none, and where its extensions run.
base::Result<std::pair<std::string, std::optional<Isolation>>> wanted_session(
    std::string_view args) {
  constexpr const char* kUse = "Type /new [NAME] [--isolation process|thread].";
  std::pair<std::string, std::optional<Isolation>> wanted;
  for (auto [word, rest] = split_word(args); !word.empty();
       std::tie(word, rest) = split_word(rest)) {
    if (word == "--isolation") {
      std::tie(word, rest) = split_word(rest);
      wanted.second = session::isolation_from(word);
      if (!wanted.second)
        return base::fail(base::Code::invalid_argument, "isolation must be process or thread",
                          kUse);
    } else if (wanted.first.empty()) {
      wanted.first = word;
    } else {
      return base::fail(base::Code::invalid_argument, "unexpected argument: " + std::string(word),
                        kUse);
    }
  }
  return wanted;
}

}  // namespace

std::vector<CommandInfo> Extensions::commands(const session::SessionRow& session) {
  std::vector<CommandInfo> all;
  for (const BuiltIn& each : kBuiltIns)
    all.push_back({.name = std::string(each.name),
                   .extension = std::string(kOwnName),
                   .description = std::string(each.meaning)});
  const auto more = space_of(session)->commands();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

awaitable<base::Result<RunResult>> Extensions::run(session::SessionRow session, std::string line,
                                                   Call call) {
  const SpacePtr space = space_of(session);
  return to_the_end<RunResult>([this, space, line, call] { return run_line(space, line, call); });
}

awaitable<base::Result<RunResult>> Extensions::run_line(SpacePtr space, std::string line,
                                                        Call call) {
  const std::size_t begin = line.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || (line[begin] != '/' && line[begin] != '!'))
    co_return base::fail(base::Code::invalid_argument, "not a command",
                         "Type /COMMAND, or ! and a shell command. /help lists all commands.");
  std::string rest = line.substr(begin + 1);
  if (line[begin] == '!') co_return co_await run_shell(space, std::move(rest), std::move(call));
  co_await recovered(space);
  if (auto allowed = call.permit.check(); !allowed) co_return base::fail(allowed.error());
  if (split_word(rest).first == kOwnName) rest = std::string(split_word(rest).second);
  const auto [word, args] = split_word(rest);
  const std::string name(word);
  std::string argument(split_word(args).first);
  if (name == "help") co_return help(*space);
  if (name == "resources")
    co_return argument == "log" ? resource_log(*space) : list_resources(*space);
  if (name == "reload") co_return co_await run_reload(space);
  if (name == "disable") co_return co_await run_disable(space, std::move(argument));
  if (name == "new") co_return co_await run_new(space, std::string(args));
  if (name == "switch") co_return co_await run_switch(space, std::move(argument));
  if (name == "cleanup")
    co_return co_await run_cleanup(space, std::move(argument), std::move(call));
  co_return co_await run_command(space, std::move(rest), std::move(call));
}

awaitable<base::Result<RunResult>> Extensions::run_reload(SpacePtr space) {
  if (!settings_.off.empty()) co_return base::fail(base::Code::unsupported, settings_.off);
  if (const std::string trouble = co_await reload(space); !trouble.empty())
    co_return base::fail(base::Code::invalid_argument, trouble);
  co_return said("Reloaded " + std::to_string(space->instances.size()) +
                 (space->instances.size() == 1 ? " extension." : " extensions."));
}

// Turning off an extension that must decide means doing without its decision.
awaitable<base::Result<RunResult>> Extensions::run_disable(SpacePtr space, std::string name) {
  Instance* const instance = space->find(name);
  if (instance == nullptr)
    co_return base::fail(base::Code::not_found, "there is no extension " + name,
                         "Type /disable NAME. /help lists the extensions.");
  note(*space, name, "disabled", "by the user");
  space->turned_off.insert(name);
  declared(*space, name, {});
  std::string trouble;
  if (instance->runs)
    trouble = co_await load_again(space, "reload");
  else
    *instance = {.name = name, .disabled = true, .error = kTurnedOff};
  if (!trouble.empty()) co_return base::fail(base::Code::invalid_argument, trouble);
  co_return said(name + " is off until the next /reload.");
}

awaitable<base::Result<RunResult>> Extensions::run_command(SpacePtr space, std::string line,
                                                           Call call) {
  if (!settings_.off.empty()) co_return base::fail(base::Code::unsupported, settings_.off);
  auto found = space->address(line);
  if (!found) co_return base::fail(found.error());
  const auto link = runner_of(*space).link();
  if (!link || !space->is_open)
    co_return base::fail(base::Code::unavailable, "the extensions of this session are not running",
                         "/help says why.");
  Object params{{"session", space->session.id.str()},
                {"extension", found->instance->name},
                {"generation", found->instance->generation},
                {"name", found->command},
                {"args", found->args},
                {"call", call.id}};
  calls_[call.id] = call.progress;
  auto result = co_await link->call("command", std::move(params));
  calls_.erase(call.id);
  if (!result) co_return base::fail(result.error());
  RunResult outcome;
  if (result->is_object()) outcome.text = Params(result->get_object()).optional_text("text");
  co_return outcome;
}

awaitable<base::Result<json::value>> Extensions::call_tool(session::SessionRow session,
                                                           std::string name, json::value arguments,
                                                           Call call) {
  const SpacePtr space = space_of(session);
  return to_the_end<Json>(
      [this, space, name, arguments, call] { return run_tool(space, name, arguments, call); });
}

awaitable<base::Result<json::value>> Extensions::run_tool(SpacePtr space, std::string name,
                                                          json::value arguments, Call call) {
  co_await recovered(space);
  if (auto allowed = call.permit.check(); !allowed) co_return base::fail(allowed.error());
  auto found = space->find_tool(name);
  if (!found) co_return base::fail(found.error());
  const auto link = runner_of(*space).link();
  if (!link || !space->is_open)
    co_return base::fail(base::Code::unavailable, "the extensions of this session are not running");
  Object params{{"session", space->session.id.str()},
                {"extension", found->first->name},
                {"generation", found->first->generation},
                {"name", name},
                {"arguments", arguments},
                {"call", call.id}};
  calls_[call.id] = call.progress;
  auto result = co_await link->call("tool", std::move(params));
  calls_.erase(call.id);
  co_return result;
}

void Extensions::cancel(const std::string& call) {
  calls_.erase(call);
  close_questions(call);
  for (const auto& [only, runner] : runners_)
    if (runner->link()) runner->link()->notify("cancel", {{"call", call}});
  const auto shell = shells_.find(call);
  if (shell == shells_.end()) return;
  shell->second->is_cancelled = true;
  shell->second->cancelled.cancel();
  if (shell->second->process.empty()) return;
  tasks_.spawn([this, id = shell->second->process]() -> awaitable<void> {
    (void)co_await processes_.close(id);  // It may be gone already.
  });
}

std::vector<std::pair<std::string, Tool>> Extensions::tools(const session::SessionRow& session) {
  std::vector<std::pair<std::string, Tool>> all;
  for (const Instance& instance : space_of(session)->instances)
    for (const Tool& tool : instance.tools) all.emplace_back(instance.name, tool);
  return all;
}

// --- built in ---

RunResult Extensions::help(const Space& space) const {
  std::string text;
  for (const BuiltIn& each : kBuiltIns)
    text += std::string(each.use) + "\n    " + std::string(each.meaning) + "\n";
  text += "! COMMAND\n    run a shell command in " +
          sessions_.logins().directory_of(space.session) + "\n";
  if (!settings_.off.empty()) text += "\n" + settings_.off + "\n";
  const auto runner = runners_.find(has_own_runner(space.session) ? space.session.id.str() : "");
  if (runner != runners_.end() && !runner->second->remark.empty())
    text += "\n" + runner->second->remark + "\n";
  for (const Instance& instance : space.instances) {
    text += "\n" + instance.name +
            (instance.runs                         ? ""
             : space.disabled || instance.disabled ? " (disabled)"
                                                   : " (not running)") +
            "\n";
    if (!instance.error.empty()) text += "    " + instance.error + "\n";
    for (const CommandInfo& command : instance.commands)
      text += "/" + instance.name + " " + command.name + "\n    " +
              command.description.value_or("") + "\n";
  }
  if (space.instances.empty())
    text +=
        "\nNo extensions. Put one into " + settings_.directory.string() + " and type /reload.\n";
  return said(std::move(text));
}

RunResult Extensions::list_resources(const Space& space) const {
  if (space.resources.empty()) return said("This session holds no resources.");
  std::string text;
  for (const auto& [key, row] : space.resources) text += (text.empty() ? "" : "\n") + line_of(row);
  return said(std::move(text));
}

base::Result<RunResult> Extensions::resource_log(const Space& space) {
  auto entries = store_.log({.session = space.session.id, .newest = kLogShown});
  if (!entries) return base::fail(entries.error());
  std::ranges::reverse(*entries);
  std::string text;
  for (const session::LogEntry& entry : *entries) {
    text += (text.empty() ? "" : "\n") + std::string("  [") + clock_time(entry.time) + "] " +
            entry.subject + ": " + entry.event;
    if (!entry.detail.empty()) text += " (" + entry.detail + ")";
  }
  return said(text.empty() ? "Nothing has happened yet." : std::move(text));
}

awaitable<base::Result<RunResult>> Extensions::run_new(SpacePtr space, std::string args) {
  auto wanted = wanted_session(args);
  if (!wanted) co_return base::fail(wanted.error());
  auto [name, isolation] = *std::move(wanted);
  if (name.empty())
    for (int number = 2; name.empty(); ++number)
      if (const std::string candidate = "session-" + std::to_string(number);
          !sessions_.names().find_or_default(space->session.user, candidate))
        name = candidate;
  if (!base::is_valid_id(name))
    co_return base::fail(base::Code::invalid_argument, "invalid session name",
                         "Use A-Z a-z 0-9 . _ : - and start with a letter or a digit.");
  auto made = sessions_.names().create_session(
      space->session.user, name, session::SessionKind::interactive, space->session.cwd, isolation);
  if (!made) co_return base::fail(made.error());
  co_return co_await run_switch(space, std::move(name));
}

awaitable<base::Result<RunResult>> Extensions::run_switch(SpacePtr space, std::string name) {
  if (name.empty())
    co_return base::fail(base::Code::invalid_argument, "no session given; type /switch NAME");
  if (auto switched = co_await switch_session(space->session, name); !switched)
    co_return base::fail(switched.error());
  co_return RunResult{.text = "Switched to " + name + ".", .exit_code = {}, .session = name};
}

awaitable<base::Result<RunResult>> Extensions::run_cleanup(SpacePtr space, std::string key,
                                                           Call call) {
  std::vector<Space::ResourceKey> keys;
  std::string list;
  for (const auto& [id, row] : space->resources) {
    const bool named = key == id.second || key == id.first + "/" + id.second;
    if (key.empty() ? row.state == ResourceState::live : !named) continue;
    keys.push_back(id);
    list += (list.empty() ? "" : "\n") + line_of(row);
  }
  if (keys.empty() && !key.empty())
    co_return base::fail(base::Code::not_found, "there is no resource " + key,
                         "/resources lists them.");
  if (keys.empty()) co_return said("Nothing is orphaned or lost.");
  QuestionInfo question{.id = {},
                        .kind = QuestionKind::confirm,
                        .title = "Close these resources?",
                        .message = list,
                        .options = {},
                        .placeholder = {},
                        .timeout = kTimeToConfirm};
  const Json sure = co_await ask(space, std::move(question), call.id);
  if (!sure.is_bool() || !sure.get_bool())
    co_return base::fail(base::Code::cancelled, "nothing was closed");
  std::string trouble;
  for (const Space::ResourceKey& id : keys)
    if (auto closed = co_await close_resource(space, id); !closed)
      trouble += "\n" + closed.error().message();
  if (!trouble.empty())
    co_return base::fail(base::Code::io, "some resources could not be closed:" + trouble);
  co_return said("Closed " + std::to_string(keys.size()) +
                 (keys.size() == 1 ? " resource." : " resources."));
}

}  // namespace extension
