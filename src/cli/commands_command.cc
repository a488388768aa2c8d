#include "cli/command.h"

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/request.h"
#include "cli/table.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

std::string number_in(const json::object& command, std::string_view key) {
  const json::value* const value = command.if_contains(key);
  return value != nullptr && value->is_int64() ? std::to_string(value->get_int64()) : "-";
}

std::string text_or_dash(const json::object& command, const char* key) {
  const std::string text = holdfast::text_in(command, key);
  return text.empty() ? "-" : text;
}

Field status_of(const json::object& command) {
  const std::string status = number_in(command, "exitCode");
  return {status, status == "-" || status == "0" ? Look::plain : Look::bad};
}

class CommandsCommand final : public Command {
 public:
  explicit CommandsCommand(const Arguments& holdfast)
      : Command(holdfast, "commands", "List the commands that a terminal's shell ran") {
    takes_target(target_);
    command().add_option("--since", since_, "Only those that ran after this offset");
    command().add_option("--limit", limit_, "At most that many: the newest");
    command().add_flag("--json", json_, "Print JSON");
    explain(command(), {"holdfast commands build", "holdfast commands . --limit 10 --json"});
  }

  base::Result<int> run() override {
    std::string target = "/terminals/" + base::encode_percents(target_) + "/commands";
    if (since_) target += "?since=" + std::to_string(*since_);
    if (limit_) target += (since_ ? "&limit=" : "?limit=") + std::to_string(*limit_);
    if (json_) return print_answer(target);
    const auto answer = call("GET", target);
    if (!answer) return base::fail(answer.error());
    std::vector<Row> rows;
    for (const json::value& each : answer->at("commands").as_array()) {
      const json::object& command = each.as_object();
      rows.push_back({number_in(command, "start"), number_in(command, "end"), status_of(command),
                      text_or_dash(command, "startedAt"), text_or_dash(command, "directory"),
                      text_or_dash(command, "text")});
    }
    print_table({"START", "END", "STATUS", "STARTED", "DIRECTORY", "COMMAND"}, rows);
    return 0;
  }

 private:
  std::string target_;
  std::optional<std::uint64_t> since_;
  std::optional<std::uint64_t> limit_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_commands_command(const Arguments& holdfast) {
  return std::make_unique<CommandsCommand>(holdfast);
}

}  // namespace cli
