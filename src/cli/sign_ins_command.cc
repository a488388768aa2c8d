#include "cli/sign_ins_command.h"

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

}  // namespace

SignInsCommand::SignInsCommand(const Arguments& app)
    : sign_ins_(app.add_subcommand("sign-ins", "List signed-in browsers, or sign one out")),
      end_(sign_ins_.add_subcommand("end", "Sign a browser out")) {
  end_.add_option("id", id_, "The id shown by `holdfast sign-ins`").required();
  explain(sign_ins_, {"holdfast sign-ins", "holdfast sign-ins end 3f2a"});
}

base::Status SignInsCommand::run() const {
  if (!end_.was_given()) {
    const auto list = request("GET", "/sign-ins");
    return list ? print_sign_ins(*list) : base::fail(list.error());
  }
  if (!base::is_valid_id(id_))
    return base::fail(base::Code::not_found, "no sign-in matches \"" + id_ + "\"",
                      "List them with: holdfast sign-ins");
  const auto ended = request("DELETE", "/sign-ins/" + id_);
  if (!ended) return base::fail(ended.error());
  return {};
}

}  // namespace cli
