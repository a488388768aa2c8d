#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"

namespace cli {
namespace {

namespace json = boost::json;

class RenameCommand final : public Command {
 public:
  explicit RenameCommand(const Arguments& holdfast)
      : Command(holdfast, "rename", "Give a terminal another name") {
    takes_target(target_);
    command().add_option("name", name_, "The new name; an empty one removes the name").required();
    explain(command(), {"holdfast rename build tests", "holdfast rename . editor"});
  }

  base::Result<int> run() override {
    const auto done =
        call("PATCH", "/terminals/" + base::encode_percents(target_), {{"name", name_}});
    if (!done) return base::fail(done.error());
    return 0;
  }

 private:
  std::string target_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Command> make_rename_command(const Arguments& holdfast) {
  return std::make_unique<RenameCommand>(holdfast);
}

}  // namespace cli
