#include "cli/attach_target.h"

#include <filesystem>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/attached_environment.h"
#include "cli/request.h"
#include "cli/server.h"
#include "daemon/control_connection.h"

namespace cli {

namespace json = boost::json;
using holdfast::text_in;

namespace {

std::string path_of(const std::string& id) {
  return "/terminals/" + base::encode_percents(id);
}

base::Result<std::vector<json::object>> list() {
  const auto answer = call("GET", "/terminals");
  if (!answer) return base::fail(answer.error());
  std::vector<json::object> terminals;
  if (const json::value* const all = answer->if_contains("terminals"); all && all->is_array())
    for (const json::value& each : all->get_array())
      if (each.is_object()) terminals.push_back(each.get_object());
  return terminals;
}

base::Result<AttachTarget> create(const WantedTerminal& wanted) {
  json::object body = new_terminal("", wanted.size);
  if (!wanted.create.empty()) body["name"] = wanted.create;
  if (!wanted.command.empty()) body["command"] = json::value_from(wanted.command);
  const auto created = call("POST", "/terminals", body);
  if (!created) return base::fail(created.error());
  return described(*created);
}

// Only the store has a restorable terminal, so its program has to be started again.
base::Result<AttachTarget> usable(const json::object& terminal, OuterSize size) {
  if (text_in(terminal, "status") != "restorable") return described(terminal);
  const auto restored = call("POST", path_of(text_in(terminal, "terminalId")) + "/restore",
                             {{"cols", size.cols}, {"rows", size.rows}});
  if (!restored) return base::fail(restored.error());
  return described(*restored);
}

base::Result<AttachTarget> by_target(const WantedTerminal& wanted) {
  const auto terminal = call("GET", path_of(wanted.target));
  if (!terminal) return base::fail(terminal.error());
  return usable(*terminal, wanted.size);
}

// An exited terminal of that name is no use to somebody who wants to work in it: a new one takes
// its place.
base::Result<AttachTarget> by_name(const WantedTerminal& wanted) {
  const auto terminals = list();
  if (!terminals) return base::fail(terminals.error());
  std::vector<const json::object*> usable_ones;
  std::vector<std::string> exited;
  for (const json::object& each : *terminals) {
    if (text_in(each, "name") != wanted.create) continue;
    if (text_in(each, "status") == "exited")
      exited.push_back(text_in(each, "terminalId"));
    else
      usable_ones.push_back(&each);
  }
  if (usable_ones.size() > 1)
    return base::fail(
        base::Code::invalid_argument,
        std::to_string(usable_ones.size()) + " terminals are called \"" + wanted.create + "\"",
        "Attach to one by its id or as SESSION:NAME.");
  if (!usable_ones.empty()) return usable(*usable_ones.front(), wanted.size);
  auto created = create(wanted);
  if (!created) return created;
  for (const std::string& id : exited)
    if (auto closed = call("DELETE", path_of(id)); !closed) return base::fail(closed.error());
  return created;
}

base::Result<AttachTarget> used_last(const WantedTerminal& wanted) {
  const auto terminals = list();
  if (!terminals) return base::fail(terminals.error());
  const json::object* last = nullptr;
  for (const json::object& each : *terminals) {
    if (text_in(each, "status") != "running") continue;
    // All times have the same form, so that their text compares as they do.
    if (last == nullptr || text_in(*last, "lastActivityAt") < text_in(each, "lastActivityAt"))
      last = &each;
  }
  return last == nullptr ? create(wanted) : described(*last);
}

}  // namespace

AttachTarget described(const json::object& terminal) {
  const std::string id = text_in(terminal, "terminalId");
  const std::string session = text_in(terminal, "session");
  return {.id = id,
          .session = session,
          .label = label_of(id, session, text_in(terminal, "name")),
          .created_at = text_in(terminal, "createdAt")};
}

std::string program_of(const json::object& terminal) {
  if (const auto process = text_in(terminal, "process"); !process.empty()) return process;
  std::string words;
  if (const json::value* const command = terminal.if_contains("command");
      command != nullptr && command->is_array())
    for (const json::value& word : command->get_array())
      if (word.is_string()) (words += words.empty() ? "" : " ") += word.get_string();
  return words;
}

json::object new_terminal(const std::string& session, OuterSize size) {
  json::object body{{"cols", size.cols}, {"rows", size.rows}};
  if (!session.empty()) body["session"] = session;
  if (is_elsewhere()) return body;
  std::error_code unreadable;
  if (const auto here = std::filesystem::current_path(unreadable); !unreadable)
    body["workDir"] = here.native();
  json::object variables;
  for (const auto& [name, value] : attached_environment()) variables[name] = value;
  if (!variables.empty()) body["env"] = std::move(variables);
  return body;
}

std::string label_of(const std::string& id, const std::string& session, const std::string& name) {
  return name.empty() ? id : session + ":" + name;
}

base::Result<AttachTarget> find_or_create(const WantedTerminal& wanted) {
  if (!wanted.create.empty()) return by_name(wanted);
  if (!wanted.target.empty()) return by_target(wanted);
  return wanted.command.empty() ? used_last(wanted) : create(wanted);
}

}  // namespace cli
