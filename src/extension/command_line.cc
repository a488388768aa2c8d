#include "extension/command_line.h"

#include <algorithm>
#include <chrono>

#include "base/id.h"
#include "base/time_text.h"
#include "extension/built_ins.h"
#include "extension/params.h"
#include "extension/process_record.h"
#include "session/row_values.h"

namespace extension {

using boost::asio::awaitable;
using session::ResourceState;
using Json = json::value;

namespace {

constexpr std::chrono::seconds kTimeToConfirm{60};
constexpr std::size_t kLogShown = 30;

RunResult text_result(std::string text) {
  return {.text = std::move(text), .exit_code = {}, .session = {}};
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

RunResult list_resources(const SessionExtensions& extensions) {
  if (extensions.resources.rows().empty()) return text_result("This session holds no resources.");
  std::string text;
  for (const auto& [key, row] : extensions.resources.rows())
    text += (text.empty() ? "" : "\n") + line_of(row);
  return text_result(std::move(text));
}

base::Result<RunResult> resource_log(const SessionExtensions& extensions) {
  auto entries = extensions.store.log({.session = extensions.session.id, .newest = kLogShown});
  if (!entries) return base::fail(entries.error());
  std::ranges::reverse(*entries);
  std::string text;
  for (const session::LogEntry& entry : *entries) {
    text += (text.empty() ? "" : "\n") + std::string("  [") + base::local_time_of_day(entry.time) +
            "] " + entry.subject + ": " + entry.event;
    if (!entry.detail.empty()) text += " (" + entry.detail + ")";
  }
  return text_result(text.empty() ? "Nothing has happened yet." : std::move(text));
}

// Removes `holdfast:` or `holdfast ` in front of a built-in command. False if it is not there.
bool take_own_name(std::string& line) {
  if (line.starts_with(std::string(kOwnName) + ":"))
    line.erase(0, kOwnName.size() + 1);
  else if (split_word(line).first == kOwnName)
    line = std::string(split_word(line).second);
  else
    return false;
  return true;
}

// An extension's command wins against a built-in one of the same name, except those by which people
// get out of trouble with extensions.
bool is_of_extension(const SessionExtensions& extensions, std::string_view command) {
  return !is_for_trouble(command) && extensions.instances.has_command(command);
}

struct Closing {
  std::string name;
  std::string trouble;  // Why it did not close by itself; empty if it did.
};

RunResult tell(const std::vector<Closing>& closings) {
  const auto well = std::ranges::count(closings, std::string(), &Closing::trouble);
  const std::size_t all = closings.size();
  const char* const noun = all == 1 ? " resource" : " resources";
  if (static_cast<std::size_t>(well) == all)
    return text_result("Closed " + std::to_string(all) + noun + ".");
  std::string text = "Closed " + std::to_string(well) + " of " + std::to_string(all) + noun +
                     ". The others are no longer recorded, and their processes were ended.";
  for (const Closing& each : closings)
    text += "\n  " + each.name + "  " +
            (each.trouble.empty() ? "closed" : "not closed: " + each.trouble);
  return text_result(std::move(text));
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

CommandLine::CommandLine(Loading& loading, Runners& runners, Calls& calls, ShellCommands& shell,
                         Events& events, session::Sessions& sessions, const Settings& settings)
    : loading_(loading),
      runners_(runners),
      calls_(calls),
      shell_(shell),
      events_(events),
      sessions_(sessions),
      settings_(settings) {}

awaitable<base::Result<RunResult>> CommandLine::run(SessionExtensionsPtr extensions,
                                                    std::string line, Call call) {
  const std::size_t begin = line.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || (line[begin] != '/' && line[begin] != '!'))
    co_return base::fail(base::Code::invalid_argument, "not a command",
                         "Type /COMMAND, or ! and a shell command. /help lists all commands.");
  std::string rest = line.substr(begin + 1);
  if (line[begin] == '!')
    co_return co_await shell_.run(extensions, std::move(rest), std::move(call));
  co_await loading_.recovered(extensions);
  if (auto allowed = call.permit.check(); !allowed) co_return base::fail(allowed.error());
  const bool is_own = take_own_name(rest);
  const auto [word, args] = split_word(rest);
  if (!is_own && is_of_extension(*extensions, word))
    co_return co_await run_command(extensions, std::move(rest), std::move(call));
  const std::string name(word);
  std::string argument(split_word(args).first);
  if (name == "help") co_return help(*extensions);
  if (name == "resources")
    co_return argument == "log" ? resource_log(*extensions) : list_resources(*extensions);
  if (name == "reload") co_return co_await reload(extensions);
  if (name == "disable") co_return co_await disable(extensions, std::move(argument));
  if (name == "new") co_return co_await make_session(extensions, std::string(args), call.scope);
  if (name == "switch")
    co_return co_await switch_session(extensions, std::move(argument), call.scope);
  if (name == "cleanup")
    co_return co_await clean_up(extensions, std::move(argument), std::move(call));
  if (is_own)
    co_return base::fail(base::Code::not_found, "there is no built-in command /" + name,
                         "/help lists all commands.");
  co_return co_await run_command(extensions, std::move(rest), std::move(call));
}

awaitable<base::Result<RunResult>> CommandLine::run_command(SessionExtensionsPtr extensions,
                                                            std::string line, Call call) {
  if (!settings_.off.empty()) co_return base::fail(base::Code::unsupported, settings_.off);
  auto found = extensions->instances.address(line);
  if (!found) co_return base::fail(found.error());
  const auto connection = loading_.connection_to(*extensions);
  if (!connection)
    co_return base::fail(base::Code::unavailable, "the extensions of this session are not running",
                         "/help says why.");
  json::object params{{"session", extensions->session.id.str()},
                      {"extension", found->instance->name},
                      {"generation", found->instance->generation},
                      {"name", found->command},
                      {"args", found->args}};
  const auto result =
      co_await calls_.run(connection, "command", std::move(params), std::move(call));
  if (!result) co_return base::fail(result.error());
  RunResult outcome;
  if (result->is_object()) outcome.text = Params(result->get_object()).optional_text("text");
  co_return outcome;
}

awaitable<base::Result<Json>> CommandLine::run_tool(SessionExtensionsPtr extensions,
                                                    std::string name, Json arguments, Call call) {
  co_await loading_.recovered(extensions);
  if (auto allowed = call.permit.check(); !allowed) co_return base::fail(allowed.error());
  auto found = extensions->instances.find_tool(name);
  if (!found) co_return base::fail(found.error());
  const auto connection = loading_.connection_to(*extensions);
  if (!connection)
    co_return base::fail(base::Code::unavailable, "the extensions of this session are not running");
  json::object params{{"session", extensions->session.id.str()},
                      {"extension", found->first->name},
                      {"generation", found->first->generation},
                      {"name", name},
                      {"arguments", arguments}};
  co_return co_await calls_.run(connection, "tool", std::move(params), std::move(call));
}

// --- built in ---

RunResult CommandLine::help(const SessionExtensions& extensions) const {
  std::string text;
  for (const BuiltIn& each : built_ins())
    text += std::string(each.use) + "\n    " + std::string(each.meaning) + "\n";
  text += "! COMMAND\n    run a shell command in " +
          sessions_.logins().directory_of(extensions.session) + "\n";
  if (!settings_.off.empty()) text += "\n" + settings_.off + "\n";
  const Runner* const runner = runners_.find(extensions.session);
  if (runner != nullptr && !runner->remark.empty()) text += "\n" + runner->remark + "\n";
  for (const Instance& instance : extensions.instances.all()) {
    text += "\n" + instance.name +
            (instance.runs                                    ? ""
             : extensions.disabled.all() || instance.disabled ? " (disabled)"
                                                              : " (not running)") +
            "\n";
    if (!instance.error.empty()) text += "    " + instance.error + "\n";
    for (const CommandInfo& command : instance.offers.commands)
      text += "/" + instance.name + " " + command.name + "\n    " +
              command.description.value_or("") + "\n";
  }
  if (extensions.instances.all().empty())
    text += "\nThere are no extensions. To add one, put its file into " +
            settings_.directory.string() + " and type /reload.\n";
  return text_result(std::move(text));
}

awaitable<base::Result<RunResult>> CommandLine::reload(SessionExtensionsPtr extensions) {
  if (!settings_.off.empty()) co_return base::fail(base::Code::unsupported, settings_.off);
  if (const std::string trouble = co_await loading_.reload(extensions); !trouble.empty())
    co_return base::fail(base::Code::invalid_argument, trouble);
  const std::size_t count = extensions->instances.all().size();
  co_return text_result("Reloaded " + std::to_string(count) +
                        (count == 1 ? " extension." : " extensions."));
}

awaitable<base::Result<RunResult>> CommandLine::disable(SessionExtensionsPtr extensions,
                                                        std::string name) {
  if (extensions->instances.find(name) == nullptr)
    co_return base::fail(base::Code::not_found, "there is no extension " + name,
                         "Type /disable NAME. /help lists the extensions.");
  if (const std::string trouble = co_await loading_.disable(extensions, name); !trouble.empty())
    co_return base::fail(base::Code::invalid_argument, trouble);
  co_return text_result(name + " is off until the next /reload.");
}

std::string CommandLine::unused_name(const session::UserId& user) {
  for (int number = 2;; ++number)
    if (const std::string name = "session-" + std::to_string(number);
        !sessions_.names().find_or_default(user, name))
      return name;
}

awaitable<base::Result<RunResult>> CommandLine::make_session(SessionExtensionsPtr extensions,
                                                             std::string args,
                                                             session::Scope scope) {
  auto wanted = wanted_session(args);
  if (!wanted) co_return base::fail(wanted.error());
  auto [name, isolation] = *std::move(wanted);
  if (name.empty()) name = unused_name(extensions->session.user);
  if (!base::is_valid_id(name))
    co_return base::fail(base::Code::invalid_argument, "invalid session name",
                         "Use A-Z a-z 0-9 . _ : - and start with a letter or a digit.");
  auto made = sessions_.names().create_session({extensions->session.user, scope}, name,
                                               session::SessionKind::interactive,
                                               extensions->session.cwd, isolation);
  if (!made) co_return base::fail(made.error());
  co_return co_await switch_session(extensions, std::move(name), std::move(scope));
}

awaitable<base::Result<RunResult>> CommandLine::switch_session(SessionExtensionsPtr extensions,
                                                               std::string name,
                                                               session::Scope scope) {
  if (name.empty())
    co_return base::fail(base::Code::invalid_argument, "no session given; type /switch NAME");
  if (auto switched = co_await events_.switch_session(extensions->session, name, scope); !switched)
    co_return base::fail(switched.error());
  co_return RunResult{.text = "Switched to " + name + ".", .exit_code = {}, .session = name};
}

awaitable<base::Result<RunResult>> CommandLine::clean_up(SessionExtensionsPtr extensions,
                                                         std::string key, Call call) {
  std::vector<Resources::Key> keys;
  std::string list;
  for (const auto& [id, row] : extensions->resources.rows()) {
    const bool named = key == id.second || key == id.first + "/" + id.second;
    if (key.empty() ? row.state == ResourceState::live : !named) continue;
    keys.push_back(id);
    list += (list.empty() ? "" : "\n") + line_of(row);
  }
  if (keys.empty() && !key.empty())
    co_return base::fail(base::Code::not_found, "there is no resource " + key,
                         "/resources lists them.");
  if (keys.empty()) co_return text_result("Nothing is orphaned or lost.");
  QuestionInfo question{.id = {},
                        .extension = std::string(kOwnName),
                        .kind = QuestionKind::confirm,
                        .title = "Close these resources?",
                        .message = list,
                        .options = {},
                        .placeholder = {},
                        .timeout = kTimeToConfirm};
  const Json sure = co_await extensions->questions.ask(std::move(question), call.id);
  if (!sure.is_bool() || !sure.get_bool())
    co_return base::fail(base::Code::cancelled, "nothing was closed");
  std::vector<Closing> closings;
  for (const Resources::Key& id : keys) {
    const auto connection = loading_.connection_to(*extensions);
    auto closed = co_await extensions->resources.close(id, connection);
    closings.push_back({.name = id.first + "/" + id.second,
                        .trouble = closed ? *closed : closed.error().message()});
  }
  co_return tell(closings);
}

}  // namespace extension
