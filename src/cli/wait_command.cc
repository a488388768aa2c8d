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
constexpr const char* kTimedOutWord = "timed_out";
constexpr milliseconds kPoll{60'000};
// A daemon that is there has answered by then. Otherwise nobody may be behind the socket.
constexpr milliseconds kGrace{500};

class WaitCommand final : public Command {
 public:
  explicit WaitCommand(const Arguments& holdfast)
      : Command(holdfast, "wait", "Wait for what a terminal prints or does") {
    takes_target(target_);
    command().add_option("-t,--text", text_,
                         "Until a line of its output matches this regular expression (RE2)");
    command().add_flag("--exit", exit_, "Until its program ends");
    command()
        .add_option("--quiet", quiet_, "Until it has printed nothing for that long, such as 2s")
        .is_duration();
    command().add_flag("--prompt", prompt_, "Until its shell shows a prompt");
    command().add_flag("--command-end", command_end_, "Until a command of its shell ends");
    command().add_option("--since", since_,
                         "Look at the output after this offset, which `send --json` prints; 0 is "
                         "the beginning. By default: from now on");
    command()
        .add_option("--timeout", timeout_, "Give up after that long, with exit status 124")
        .is_duration();
    command().add_flag("--json", json_, "Print the outcome as JSON");
    command().check([this] { return has_condition(); });
    explain(command(),
            {"holdfast wait build --text 'error|done' --timeout 10m", "holdfast wait build --exit"},
            "With several conditions, the first one counts.\n\n"
            "Exit status: 0 if it happened, 1 if it cannot happen any more or on errors, 124 after "
            "the timeout.");
  }

  base::Result<int> run() override {
    if (!timeout_.empty()) end_ = steady_clock::now() + *duration(timeout_);
    Retries retries(end_ ? Retries::kEndless : Retries::kSome);
    // Where to look from: known before the first wait, so that nothing is missed between two.
    std::optional<std::uint64_t> since = since_;
    for (;;) {
      const auto time = time_left();
      const auto waited =
          call("GET", since ? query(*since, time) : path("/capture"), {}, time + kGrace);
      if (waited) {
        retries.succeeded();
        const std::string outcome = since ? holdfast::text_in(*waited, "outcome") : kTimedOutWord;
        if (since && (outcome != kTimedOutWord || is_late())) return finish(*waited, outcome);
        since = holdfast::count_in(*waited, "offset");
      } else {
        if (is_late() && waited.error().code == base::Code::unavailable)
          return finish({{"outcome", kTimedOutWord}, {"offset", since.value_or(0)}}, kTimedOutWord);
        if (auto again = retries.after(waited.error()); !again) return base::fail(again.error());
      }
    }
  }

 private:
  [[nodiscard]] base::Status has_condition() const {
    if (!text_.empty() || exit_ || !quiet_.empty() || prompt_ || command_end_) return {};
    return base::fail(base::Code::invalid_argument, "there is nothing to wait for",
                      "Use --text, --exit, --quiet, --prompt or --command-end.");
  }

  [[nodiscard]] bool is_late() const { return end_ && steady_clock::now() >= *end_; }

  [[nodiscard]] milliseconds time_left() const {
    if (!end_) return kPoll;
    const auto left = std::chrono::ceil<milliseconds>(*end_ - steady_clock::now());
    return std::clamp(left, milliseconds(0), kPoll);
  }

  [[nodiscard]] std::string path(const std::string& rest) const {
    return "/terminals/" + base::encode_percents(target_) + rest;
  }

  [[nodiscard]] std::string query(std::uint64_t since, milliseconds time) const {
    std::string target =
        path("/wait?since=" + std::to_string(since) + "&timeout=" + std::to_string(time.count()));
    if (!text_.empty()) target += "&text=" + base::encode_percents(text_);
    if (exit_) target += "&exit=true";
    if (prompt_) target += "&prompt=true";
    if (command_end_) target += "&commandEnd=true";
    if (!quiet_.empty()) target += "&quiet=" + std::to_string(duration(quiet_)->count());
    return target;
  }

  [[nodiscard]] int finish(const json::object& waited, const std::string& outcome) const {
    if (json_) std::printf("%s\n", json::serialize(waited).c_str());
    if (outcome == kTimedOutWord) return kTimedOut;
    return outcome == "exited" && !exit_ ? kNever : 0;
  }

  std::string target_;
  std::string text_;
  std::string quiet_;
  std::string timeout_;
  std::optional<std::uint64_t> since_;
  std::optional<steady_clock::time_point> end_;
  bool exit_ = false;
  bool json_ = false;
  bool prompt_ = false;
  bool command_end_ = false;
};

}  // namespace

std::unique_ptr<Command> make_wait_command(const Arguments& holdfast) {
  return std::make_unique<WaitCommand>(holdfast);
}

}  // namespace cli
