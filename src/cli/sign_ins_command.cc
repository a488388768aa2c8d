// `holdfast sign-ins`: lists the browsers that were let in, and ends a sign-in. It asks the running
// daemon over its Unix socket.

#include <cstdio>

#include <boost/json/parse.hpp>

#include "base/id.h"
#include "base/printable.h"
#include "cli/command.h"
#include "cli/request.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

// Prints a line for each: id, expiry, user, access, address, browser.
base::Status print_sign_ins(const std::string& text) {
  json::error_code error;
  const json::value list = json::parse(text, error);
  if (error || !list.is_array())
    return base::fail(base::Code::corrupt, "cannot read the daemon's answer");
  for (const json::value& each : list.get_array()) {
    if (!each.is_object()) continue;
    const json::object& row = each.get_object();
    std::string line;
    for (const char* key : {"id", "expires", "user", "access", "address", "browser"})
      line += (line.empty() ? "" : "  ") + holdfast::text_in(row, key);
    std::printf("%s\n", base::printable(line).c_str());
  }
  return {};
}

class SignInsCommand final : public Command {
 public:
  explicit SignInsCommand(const Arguments& holdfast);
  base::Result<int> run() override;

 private:
  Arguments end_;
  std::string id_;
};

}  // namespace

SignInsCommand::SignInsCommand(const Arguments& holdfast)
    : Command(holdfast, "sign-ins", "List signed-in browsers, or sign one out", Where::here),
      end_(command().add_subcommand("end", "Sign a browser out")) {
  end_.add_option("id", id_, "The id shown by `holdfast sign-ins`").required();
  explain(command(), {"holdfast sign-ins", "holdfast sign-ins end 3f2a"});
}

base::Result<int> SignInsCommand::run() {
  if (!end_.was_given()) {
    const auto list = request("GET", "/sign-ins");
    return exit_status(list ? print_sign_ins(*list) : base::fail(list.error()));
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
