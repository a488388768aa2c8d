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
  explicit CaptureCommand(const Arguments& holdfast)
      : Command(holdfast, "capture", "Print what a terminal shows") {
    takes_target(target_);
    const Argument plain =
        command().add_flag_callback("--text", [this] { format_ = "text"; }, "As text; the default");
    add_format("ansi", "With colours, as escape sequences");
    add_format("json", "Every cell with its attributes, as JSON");
    add_format("html", "As an HTML document, with colours and links");
    add_format("svg", "As an SVG picture");
    command().add_option("--history", history_,
                         "How many rows of history to put before the screen, or `all`");
    const Argument last =
        command().add_flag("--last-command", last_command_,
                           "Not the screen, but what the shell's last command printed");
    for (const Argument& format : formats_) {
      last.excludes(format);
      plain.excludes(format);
    }
    const Argument at = command().add_option("--at", at_, "The screen as it was at this offset");
    at.excludes(last);
    explain(command(),
            {"holdfast capture build", "holdfast capture build --history all --ansi | less -R",
             "holdfast capture build --svg > screen.svg"},
            "A past screen can be had as long as the output that leads to it is kept "
            "(output_buffer_size).");
  }

  base::Result<int> run() override {
    constexpr int kAll = 1'000'000;
    std::string target =
        "/terminals/" + base::encode_percents(target_) + "/capture?format=" + format_;
    if (last_command_) target += "&lastCommand=true";
    if (!history_.empty())
      target += "&history=" +
                (history_ == "all" ? std::to_string(kAll) : base::encode_percents(history_));
    if (at_) target += "&at=" + std::to_string(*at_);
    if (format_ == "json") return print_answer(target);
    const auto captured = call("GET", target);
    if (!captured) return base::fail(captured.error());
    // The daemon made it from the screen: it has no sequences but those for colours.
    const std::string text = holdfast::text_in(*captured, "text");
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (const auto missing = holdfast::count_in(*captured, "missing"); missing > 0)
      std::fprintf(stderr, "holdfast: %llu bytes of its output are not shown\n",
                   static_cast<unsigned long long>(missing));
    return 0;
  }

 private:
  void add_format(const std::string& name, const std::string& meaning) {
    const Argument flag =
        command().add_flag_callback("--" + name, [this, name] { format_ = name; }, meaning);
    for (const Argument& other : formats_) flag.excludes(other);
    formats_.push_back(flag);
  }

  std::string target_;
  std::string history_;
  std::string format_ = "text";
  std::optional<std::uint64_t> at_;
  std::vector<Argument> formats_;
  bool last_command_ = false;
};

}  // namespace

std::unique_ptr<Command> make_capture_command(const Arguments& holdfast) {
  return std::make_unique<CaptureCommand>(holdfast);
}

}  // namespace cli
