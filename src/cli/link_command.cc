// `holdfast link`: lets a browser in. It asks the running daemon over its Unix socket.

#include "base/id.h"
#include "cli/command.h"
#include "cli/print_link.h"
#include "cli/request.h"

namespace cli {
namespace {

class LinkCommand final : public Command {
 public:
  explicit LinkCommand(const Arguments& holdfast);
  base::Result<int> run() override;

 private:
  std::string user_;
  bool view_ = false;
  bool json_ = false;
};

}  // namespace

LinkCommand::LinkCommand(const Arguments& holdfast)
    : Command(holdfast, "link", "Print a one-time sign-in link, valid for 5 minutes", Where::here) {
  command().add_option("--user", user_, "Sign in as this user; created if it does not exist");
  command().add_flag("--view", view_, "Sign in with view-only access");
  command().add_flag("--json", json_, "Print it as JSON");
  explain(command(), {"holdfast link", "holdfast link --view"});
}

base::Result<int> LinkCommand::run() {
  if (!user_.empty() && !base::is_valid_id(user_))
    return base::fail(base::Code::invalid_argument, "invalid user name",
                      "Use 1 to 128 of A-Z a-z 0-9 . _ - and start with a letter or a digit.");
  std::string target = "/link?access=" + std::string(view_ ? "view" : "control");
  if (!user_.empty()) target += "&user=" + user_;
  const auto link = request("POST", target);
  if (!link) return base::fail(link.error());
  print_link(*link, json_);
  return 0;
}

std::unique_ptr<Command> make_link_command(const Arguments& holdfast) {
  return std::make_unique<LinkCommand>(holdfast);
}

}  // namespace cli
