#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"

namespace cli {
namespace {

namespace json = boost::json;

class KillCommand final : public Command {
 public:
  explicit KillCommand(const Arguments& holdfast)
      : Command(holdfast, "kill", "End the program in a terminal, and close the terminal") {
    takes_target(target_);
    explain(command(), {"holdfast kill build"});
  }

  base::Result<int> run() override {
    const auto done = call("DELETE", "/terminals/" + base::encode_percents(target_));
    if (!done) return base::fail(done.error());
    return 0;
  }

 private:
  std::string target_;
};

}  // namespace

std::unique_ptr<Command> make_kill_command(const Arguments& holdfast) {
  return std::make_unique<KillCommand>(holdfast);
}

}  // namespace cli
