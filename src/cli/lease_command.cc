#include <cstdio>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/duration.h"
#include "cli/request.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

class LeaseCommand final : public Command {
 public:
  explicit LeaseCommand(const Arguments& holdfast)
      : Command(holdfast, "lease",
                "Hold a terminal's keyboard, so that no other program can type") {
    takes_target(target_);
    command()
        .add_option("--for", time_, "How long, such as 5m; 30s by default, at most an hour")
        .is_duration();
    command().add_option("--holder", holder_,
                         "Your name, which others are shown while they are refused");
    const Argument renew = command().add_option("--renew", renewed_, "Renew this lease");
    command().add_option("--release", released_, "Release this lease").excludes(renew);
    command().add_flag("--json", json_, "Print the lease, its holder and its end as JSON");
    explain(command(), {"holdfast lease build --for 5m --holder deploy"},
            "Prints the lease, which `send --lease` takes. A person who types ends it.");
  }

  base::Result<int> run() override {
    const std::string target = "/terminals/" + base::encode_percents(target_) + "/lease";
    const auto answer = released_.empty()
                            ? take(target)
                            : call("DELETE", target + "?lease=" + base::encode_percents(released_));
    if (!answer) return base::fail(answer.error());
    if (json_)
      std::printf("%s\n", json::serialize(*answer).c_str());
    else if (released_.empty() && renewed_.empty())
      std::printf("%s\n", holdfast::text_in(*answer, "lease").c_str());
    return 0;
  }

 private:
  [[nodiscard]] base::Result<json::object> take(const std::string& target) const {
    const auto time = duration(time_);
    if (!time) return base::fail(time.error());
    json::object body{{"seconds", std::chrono::ceil<std::chrono::seconds>(*time).count()}};
    if (!holder_.empty()) body["holder"] = holder_;
    if (!renewed_.empty()) body["lease"] = renewed_;
    return call("POST", target, body);
  }

  std::string target_;
  std::string time_ = "30s";
  std::string holder_;
  std::string renewed_;
  std::string released_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_lease_command(const Arguments& holdfast) {
  return std::make_unique<LeaseCommand>(holdfast);
}

}  // namespace cli
