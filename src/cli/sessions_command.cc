#include <cstdio>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/confirm.h"
#include "cli/request.h"
#include "cli/running.h"
#include "cli/table.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

class SessionsCommand final : public Command {
 public:
  explicit SessionsCommand(const Arguments& holdfast)
      : Command(holdfast, "sessions", "List, create, rename and close sessions"),
        new_(command().add_subcommand("new", "Create a session")),
        rename_(command().add_subcommand("rename", "Rename a session")),
        close_(command().add_subcommand("close", "Close a session, and end its terminals")) {
    command().add_flag("--json", json_, "Print JSON");
    for (const Arguments& each : {new_, rename_, close_})
      each.add_option("session", name_, "The name of the session").required();
    rename_.add_option("name", new_name_, "Its new name").required();
    close_.add_flag("--yes", yes_, "End running terminals without asking");
    for (const Arguments& each : {new_, rename_, close_}) each.fallthrough();
    explain(command(), {"holdfast sessions", "holdfast sessions new work"});
    explain(new_, {"holdfast sessions new work"});
    explain(rename_, {"holdfast sessions rename work play"});
    explain(close_, {"holdfast sessions close work", "holdfast sessions close work --yes"});
  }

  base::Result<int> run() override {
    if (new_.was_given()) return done(call("POST", "/sessions", {{"name", name_}}));
    if (rename_.was_given()) return done(call("PATCH", path(), {{"name", new_name_}}));
    if (close_.was_given()) return close();
    return list();
  }

 private:
  [[nodiscard]] base::Result<int> done(const base::Result<json::object>& answer) const {
    if (!answer) return base::fail(answer.error());
    if (json_) std::printf("%s\n", json::serialize(*answer).c_str());
    return 0;
  }

  [[nodiscard]] std::string path() const { return "/sessions/" + base::encode_percents(name_); }

  base::Result<int> close() {
    const auto answer = call("GET", "/terminals?session=" + base::encode_percents(name_));
    if (!answer) return base::fail(answer.error());
    std::size_t running = 0;
    for (const json::value& each : answer->at("terminals").as_array())
      if (holdfast::text_in(each.as_object(), "status") == "running") ++running;
    if (running > 0 && !yes_)
      if (auto confirmed = confirm("This ends " + count_of(running, "running terminal"));
          !confirmed)
        return base::fail(confirmed.error());
    return done(call("DELETE", path()));
  }

  base::Result<int> list() {
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

  Arguments new_;
  Arguments rename_;
  Arguments close_;
  std::string name_;
  std::string new_name_;
  bool yes_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_sessions_command(const Arguments& holdfast) {
  return std::make_unique<SessionsCommand>(holdfast);
}

}  // namespace cli
