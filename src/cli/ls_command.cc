#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"
#include "cli/table.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

// What runs: the program in the foreground, or what the terminal was created with.
std::string program_of(const json::object& terminal) {
  if (const auto process = holdfast::text_in(terminal, "process"); !process.empty()) return process;
  std::string words;
  if (const json::value* const command = terminal.if_contains("command");
      command != nullptr && command->is_array())
    for (const json::value& word : command->get_array())
      if (word.is_string()) (words += words.empty() ? "" : " ") += word.get_string();
  return words;
}

std::string status_of(const json::object& terminal) {
  std::string status = holdfast::text_in(terminal, "status");
  const json::value* const code = terminal.if_contains("exitCode");
  if (code != nullptr && code->is_int64()) status += " (" + std::to_string(code->get_int64()) + ")";
  return status;
}

std::string size_of(const json::object& terminal) {
  return std::to_string(holdfast::count_in(terminal, "cols")) + "x" +
         std::to_string(holdfast::count_in(terminal, "rows"));
}

class LsCommand final : public Command {
 public:
  explicit LsCommand(CLI::App& holdfast) : Command(holdfast, "ls", "List terminals") {
    command().add_option("-s,--session", session_, "Only the terminals of this session");
    command().add_flag("--json", json_, "Print JSON");
  }

  base::Result<int> run() override {
    const std::string target =
        "/terminals" + (session_.empty() ? "" : "?session=" + base::encode_percents(session_));
    if (json_) return print_answer(target);
    const auto answer = call("GET", target);
    if (!answer) return base::fail(answer.error());
    std::vector<std::vector<std::string>> rows;
    for (const json::value& each : answer->at("terminals").as_array()) {
      const json::object& terminal = each.as_object();
      rows.push_back({holdfast::text_in(terminal, "terminalId"),
                      holdfast::text_in(terminal, "session"), holdfast::text_in(terminal, "name"),
                      status_of(terminal), size_of(terminal), program_of(terminal),
                      holdfast::text_in(terminal, "workingDirectory")});
    }
    print_table({"ID", "SESSION", "NAME", "STATUS", "SIZE", "PROGRAM", "DIRECTORY"}, rows);
    return 0;
  }

 private:
  std::string session_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_ls_command(CLI::App& holdfast) {
  return std::make_unique<LsCommand>(holdfast);
}

}  // namespace cli
