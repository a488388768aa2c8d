#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"

namespace cli {
namespace {

namespace json = boost::json;

class RestoreCommand final : public Command {
 public:
  explicit RestoreCommand(const Arguments& holdfast)
      : Command(holdfast, "restore",
                "Start a terminal again that was lost in a restart of the machine") {
    takes_target(target_);
    explain(command(), {"holdfast restore build"});
  }

  base::Result<int> run() override {
    const auto done = call("POST", "/terminals/" + base::encode_percents(target_) + "/restore");
    if (!done) return base::fail(done.error());
    return 0;
  }

 private:
  std::string target_;
};

}  // namespace

std::unique_ptr<Command> make_restore_command(const Arguments& holdfast) {
  return std::make_unique<RestoreCommand>(holdfast);
}

}  // namespace cli
