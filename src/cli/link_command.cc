#include "cli/link_command.h"

#include <cstdio>

#include "base/id.h"
#include "cli/command.h"
#include "cli/request.h"

namespace cli {

LinkCommand::LinkCommand(const Arguments& app)
    : link_(app.add_subcommand("link", "Print a one-time sign-in link, valid for 5 minutes")) {
  link_.add_option("--user", user_, "Sign in as this user; created if it does not exist");
  link_.add_flag("--view", view_, "Sign in with view-only access");
  explain(link_, {"holdfast link", "holdfast link --view"});
}

base::Status LinkCommand::run() const {
  if (!user_.empty() && !base::is_valid_id(user_))
    return base::fail(base::Code::invalid_argument, "invalid user name",
                      "Use 1 to 128 of A-Z a-z 0-9 . _ - and start with a letter or a digit.");
  std::string target = "/link?access=" + std::string(view_ ? "view" : "control");
  if (!user_.empty()) target += "&user=" + user_;
  const auto link = request("POST", target);
  if (!link) return base::fail(link.error());
  std::printf("%s\n", link->c_str());
  return {};
}

}  // namespace cli
