#include <boost/json.hpp>

#include "cli/command.h"
#include "cli/request.h"
#include "cli/table.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

class SessionsCommand final : public Command {
 public:
  explicit SessionsCommand(const Arguments& holdfast)
      : Command(holdfast, "sessions", "List sessions") {
    command().add_flag("--json", json_, "Print JSON");
    explain(command(), {"holdfast sessions"});
  }

  base::Result<int> run() override {
    if (json_) return print_answer("/sessions");
    const auto answer = call("GET", "/sessions");
    if (!answer) return base::fail(answer.error());
    std::vector<Row> rows;
    for (const json::value& each : answer->at("sessions").as_array()) {
      const json::object& session = each.as_object();
      rows.push_back({holdfast::text_in(session, "name"), holdfast::text_in(session, "kind"),
                      std::to_string(holdfast::count_in(session, "terminals")),
                      std::to_string(holdfast::count_in(session, "restorable"))});
    }
    print_table({"NAME", "KIND", "TERMINALS", "RESTORABLE"}, rows);
    return 0;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_sessions_command(const Arguments& holdfast) {
  return std::make_unique<SessionsCommand>(holdfast);
}

}  // namespace cli
