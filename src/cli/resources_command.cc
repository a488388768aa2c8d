#include <cstdio>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"
#include "cli/table.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;
using holdfast::text_in;

const json::array* array_in(const json::object& object, const char* key) {
  const json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_array() ? &value->get_array() : nullptr;
}

std::string pids_of(const json::object& resource) {
  std::string text;
  if (const json::array* const pids = array_in(resource, "pids"))
    for (const json::value& pid : *pids) (text += text.empty() ? "" : " ") += json::serialize(pid);
  return text;
}

// No code has asked for it since its extension was reloaded, or nobody has it any more.
bool is_leaked(const json::object& resource) {
  return text_in(resource, "state") != "live";
}

class ResourcesCommand final : public Command {
 public:
  explicit ResourcesCommand(const Arguments& holdfast)
      : Command(holdfast, "resources", "List what extensions hold") {
    command().add_option("-s,--session", session_, "Only what is held in this session");
    command().add_flag("--leaked", leaked_,
                       "Only what no code has asked for since a reload, and what is lost");
    command().add_flag("--json", json_, "Print JSON");
    explain(command(), {"holdfast resources", "holdfast resources --leaked"},
            "To close what is leaked, use: holdfast run SESSION /cleanup");
  }

  base::Result<int> run() override {
    const auto sessions = wanted_sessions();
    if (!sessions) return base::fail(sessions.error());
    json::array all;
    for (const std::string& session : *sessions)
      if (auto added = add_of(session, all); !added) return base::fail(added.error());
    print(all);
    return 0;
  }

 private:
  [[nodiscard]] base::Result<std::vector<std::string>> wanted_sessions() const {
    if (!session_.empty()) return std::vector{session_};
    const auto answer = call("GET", "/sessions");
    if (!answer) return base::fail(answer.error());
    std::vector<std::string> names;
    if (const json::array* const sessions = array_in(*answer, "sessions"))
      for (const json::value& each : *sessions)
        if (each.is_object()) names.push_back(text_in(each.get_object(), "name"));
    return names;
  }

  [[nodiscard]] base::Status add_of(const std::string& session, json::array& all) const {
    const auto answer = call("GET", "/sessions/" + base::encode_percents(session) + "/resources");
    if (!answer) return base::fail(answer.error());
    if (const json::array* const held = array_in(*answer, "resources"))
      for (const json::value& each : *held) {
        json::object resource = each.as_object();
        if (leaked_ && !is_leaked(resource)) continue;
        resource["session"] = session;
        all.push_back(std::move(resource));
      }
    return {};
  }

  void print(const json::array& all) const {
    if (json_) {
      std::printf("%s\n", json::serialize(json::object{{"resources", all}}).c_str());
      return;
    }
    std::vector<Row> rows;
    for (const json::value& each : all) {
      const json::object& resource = each.get_object();
      rows.push_back(
          {text_in(resource, "session"), text_in(resource, "extension"), text_in(resource, "key"),
           Field(text_in(resource, "state"), is_leaked(resource) ? Look::warning : Look::plain),
           pids_of(resource), text_in(resource, "createdAt"), text_in(resource, "description")});
    }
    print_table({"SESSION", "EXTENSION", "KEY", "STATE", "PIDS", "CREATED", "DESCRIPTION"}, rows);
  }

  std::string session_;
  bool leaked_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_resources_command(const Arguments& holdfast) {
  return std::make_unique<ResourcesCommand>(holdfast);
}

}  // namespace cli
