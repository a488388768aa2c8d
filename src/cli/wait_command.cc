#include <chrono>
#include <cstdio>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/duration.h"
#include "cli/request.h"
#include "cli/retries.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kNever = 1;       // It cannot happen any more.
constexpr int kTimedOut = 124;  // As timeout(1).
constexpr milliseconds kPoll{60'000};

class WaitCommand final : public Command {
 public:
  explicit WaitCommand(const Arguments& holdfast)
      : Command(holdfast, "wait", "Wait for what a terminal prints or does") {
    takes_target(target_);
    command().add_option("-t,--text", text_,
                         "Until a line of its output matches this regular expression (RE2)");
    command().add_flag("--exit", exit_, "Until its program ends");
    command().add_option("--quiet", quiet_, "Until it printed nothing for that long, such as 2s");
    command().add_flag("--prompt", prompt_, "Until its shell shows a prompt");
    command().add_flag("--command-end", command_end_, "Until a command of its shell ends");
    command().add_option("--since", since_,
                         "Look at the output after this offset, which `send --json` prints; 0 is "
                         "the beginning. By default: from now on");
    command().add_option("--timeout", timeout_, "Give up after that long, with exit status 124");
    command().add_flag("--json", json_, "Print the outcome as JSON");
    explain(command(),
            {"holdfast wait build --text 'error|done' --timeout 10m", "holdfast wait build --exit"},
            "Exit status: 0 if it happened, 1 if it cannot happen any more or on errors, 124 after "
            "the timeout.");
  }

  base::Result<int> run() override {
    std::optional<steady_clock::time_point> end;
    if (!timeout_.empty()) {
      const auto time = duration(timeout_);
      if (!time) return base::fail(time.error());
      end = steady_clock::now() + *time;
    }
    auto since = first_offset();
    if (!since) return base::fail(since.error());
    for (;;) {
      const auto time = time_left(end);
      const auto target = query(*since, time);
      if (!target) return base::fail(target.error());
      const auto waited = call("GET", *target);
      if (!waited) {
        if (end && steady_clock::now() >= *end) return base::fail(waited.error());
        if (auto again = retries_.after(waited.error()); !again) return base::fail(again.error());
        continue;
      }
      retries_.succeeded();
      const std::string outcome = holdfast::text_in(*waited, "outcome");
      const bool is_over = outcome != "timed_out" || (end && steady_clock::now() >= *end);
      if (is_over) return finish(*waited, outcome);
      since = holdfast::count_in(*waited, "offset");
    }
  }

 private:
  // Where to look from: known before the first wait, so that nothing is missed between two.
  [[nodiscard]] base::Result<std::uint64_t> first_offset() const {
    if (since_) return *since_;
    const auto captured = call("GET", "/terminals/" + base::encode_percents(target_) + "/capture");
    if (!captured) return base::fail(captured.error());
    return holdfast::count_in(*captured, "offset");
  }

  [[nodiscard]] static milliseconds time_left(const std::optional<steady_clock::time_point>& end) {
    if (!end) return kPoll;
    const auto left = std::chrono::ceil<milliseconds>(*end - steady_clock::now());
    return std::clamp(left, milliseconds(0), kPoll);
  }

  [[nodiscard]] base::Result<std::string> query(std::uint64_t since, milliseconds time) const {
    std::string target = "/terminals/" + base::encode_percents(target_) +
                         "/wait?since=" + std::to_string(since) +
                         "&timeout=" + std::to_string(time.count());
    if (!text_.empty()) target += "&text=" + base::encode_percents(text_);
    if (exit_) target += "&exit=true";
    if (prompt_) target += "&prompt=true";
    if (command_end_) target += "&commandEnd=true";
    if (quiet_.empty()) return target;
    const auto quiet = duration(quiet_);
    if (!quiet) return base::fail(quiet.error());
    return target + "&quiet=" + std::to_string(quiet->count());
  }

  [[nodiscard]] int finish(const json::object& waited, const std::string& outcome) const {
    if (json_) std::printf("%s\n", json::serialize(waited).c_str());
    if (outcome == "timed_out") return kTimedOut;
    return outcome == "exited" && !exit_ ? kNever : 0;
  }

  std::string target_;
  std::string text_;
  std::string quiet_;
  std::string timeout_;
  std::optional<std::uint64_t> since_;
  bool exit_ = false;
  bool json_ = false;
  bool prompt_ = false;
  bool command_end_ = false;
  Retries retries_;
};

}  // namespace

std::unique_ptr<Command> make_wait_command(const Arguments& holdfast) {
  return std::make_unique<WaitCommand>(holdfast);
}

}  // namespace cli
