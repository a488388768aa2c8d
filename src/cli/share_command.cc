#include "base/percent.h"
#include "cli/command.h"
#include "cli/lifetime.h"
#include "cli/print_link.h"
#include "cli/request.h"

namespace cli {
namespace {

class ShareCommand final : public Command {
 public:
  explicit ShareCommand(const Arguments& holdfast)
      : Command(holdfast, "share", "Print a link that shows one terminal to somebody else",
                Where::here) {
    takes_target(target_);
    command().add_flag("--control", control_, "Let them type, too");
    command()
        .add_option("--for", lifetime_, "How long it is valid, such as 30m; by default 1h")
        .check([](const std::string& text) -> base::Status {
          const auto lifetime = read_lifetime(text);
          return lifetime ? base::Status() : base::fail(lifetime.error());
        });
    command().add_flag("--json", json_, "Print it as JSON");
    explain(
        command(), {"holdfast share build", "holdfast share build --control --for 30m"},
        "The link signs one browser in. `holdfast token ls` lists it, and `holdfast token revoke` "
        "ends it.");
  }

  base::Result<int> run() override {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*read_lifetime(lifetime_)).count();
    const auto link = request("POST", "/link?terminal=" + base::encode_percents(target_) +
                                          "&access=" + (control_ ? "control" : "view") +
                                          "&seconds=" + std::to_string(seconds));
    if (!link) return base::fail(link.error());
    print_link(*link, json_);
    return 0;
  }

 private:
  std::string target_;
  std::string lifetime_ = "1h";
  bool control_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_share_command(const Arguments& holdfast) {
  return std::make_unique<ShareCommand>(holdfast);
}

}  // namespace cli
