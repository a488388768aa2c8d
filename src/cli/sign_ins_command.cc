// `holdfast sign-ins`: lists the browsers that were let in, and ends a sign-in. It asks the running
// daemon over its Unix socket.

#include <cstdio>

#include <boost/json.hpp>

#include "base/id.h"
#include "cli/command.h"
#include "cli/request.h"
#include "cli/table.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

base::Status print_sign_ins(const std::string& text, bool as_json) {
  json::error_code error;
  const json::value list = json::parse(text, error);
  if (error || !list.is_array())
    return base::fail(base::Code::corrupt, "cannot read the daemon's answer");
  if (as_json) {
    std::printf("%s\n", json::serialize(json::object{{"signIns", list}}).c_str());
    return {};
  }
  std::vector<Row> rows;
  for (const json::value& each : list.get_array()) {
    if (!each.is_object()) continue;
    Row& row = rows.emplace_back();
    for (const char* key : {"id", "expires", "user", "access", "address", "browser"})
      row.emplace_back(holdfast::text_in(each.get_object(), key));
  }
  print_table({"ID", "EXPIRES", "USER", "ACCESS", "ADDRESS", "BROWSER"}, rows);
  return {};
}

class SignInsCommand final : public Command {
 public:
  explicit SignInsCommand(const Arguments& holdfast);
  base::Result<int> run() override;

 private:
  Arguments end_;
  std::string id_;
  bool json_ = false;
};

}  // namespace

SignInsCommand::SignInsCommand(const Arguments& holdfast)
    : Command(holdfast, "sign-ins", "List signed-in browsers, or sign one out", Where::here),
      end_(command().add_subcommand("end", "Sign a browser out")) {
  end_.add_option("id", id_, "The id shown by `holdfast sign-ins`").required();
  command().add_flag("--json", json_, "Print JSON");
  explain(command(), {"holdfast sign-ins", "holdfast sign-ins end 3f2a"});
}

base::Result<int> SignInsCommand::run() {
  if (!end_.was_given()) {
    const auto list = request("GET", "/sign-ins");
    return exit_status(list ? print_sign_ins(*list, json_) : base::fail(list.error()));
  }
  if (!base::is_valid_id(id_))
    return base::fail(base::Code::not_found, "no sign-in matches \"" + id_ + "\"",
                      "List them with: holdfast sign-ins");
  const auto ended = request("DELETE", "/sign-ins/" + id_);
  if (!ended) return base::fail(ended.error());
  return 0;
}

std::unique_ptr<Command> make_sign_ins_command(const Arguments& holdfast) {
  return std::make_unique<SignInsCommand>(holdfast);
}

}  // namespace cli
