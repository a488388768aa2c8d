#include <cstdio>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

class CaptureCommand final : public Command {
 public:
  explicit CaptureCommand(CLI::App& holdfast)
      : Command(holdfast, "capture", "Print what a terminal shows") {
    takes_target(target_);
    auto* const ansi = command().add_flag("--ansi", ansi_, "With colours, as escape sequences");
    command().add_flag("--json", json_, "Every cell with its attributes, as JSON")->excludes(ansi);
    command().add_option("--history", history_,
                         "How many rows of history to put before the screen, or `all`");
  }

  base::Result<int> run() override {
    constexpr int kAll = 1'000'000;
    std::string target = "/terminals/" + base::encode_percents(target_) + "/capture?format=";
    target += json_ ? "json" : ansi_ ? "ansi" : "text";
    if (!history_.empty())
      target += "&history=" +
                (history_ == "all" ? std::to_string(kAll) : base::encode_percents(history_));
    if (json_) return print_answer(target);
    const auto captured = call("GET", target);
    if (!captured) return base::fail(captured.error());
    // The daemon made it from the screen: it has no sequences but those for colours.
    const std::string text = holdfast::text_in(*captured, "text");
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  }

 private:
  std::string target_;
  std::string history_;
  bool ansi_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_capture_command(CLI::App& holdfast) {
  return std::make_unique<CaptureCommand>(holdfast);
}

}  // namespace cli
