#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"

namespace cli {
namespace {

namespace json = boost::json;

class ResizeCommand final : public Command {
 public:
  explicit ResizeCommand(const Arguments& holdfast)
      : Command(holdfast, "resize", "Resize a terminal") {
    takes_target(target_);
    command().add_option("cols", cols_, "The new width").required();
    command().add_option("rows", rows_, "The new height").required();
    explain(command(), {"holdfast resize build 120 40"});
  }

  base::Result<int> run() override {
    const auto done = call("POST", "/terminals/" + base::encode_percents(target_) + "/resize",
                           {{"cols", cols_}, {"rows", rows_}});
    if (!done) return base::fail(done.error());
    return 0;
  }

 private:
  std::string target_;
  int cols_ = 0;
  int rows_ = 0;
};

}  // namespace

std::unique_ptr<Command> make_resize_command(const Arguments& holdfast) {
  return std::make_unique<ResizeCommand>(holdfast);
}

}  // namespace cli
