#include <chrono>
#include <cstdio>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"
#include "cli/retries.h"
#include "cli/typing_conditions.h"
#include "daemon/control_connection.h"
#include "session/random.h"

namespace cli {
namespace {

namespace json = boost::json;

// As long as a shell that has just started may take until its prompt.
constexpr std::chrono::milliseconds kFirstWait{10'000};

class ExecCommand final : public Command {
 public:
  explicit ExecCommand(const Arguments& holdfast)
      : Command(holdfast, "exec", "Run a command in a terminal's shell") {
    takes_target(target_);
    conditions_.add_to(command());
    command()
        .add_option("command", words_,
                    "What to type at the shell's prompt; several arguments are joined by spaces")
        .required();
    explain(command(), {"holdfast exec build -- make -j4"},
            "Prints what the command prints. The exit status is the command's, or 1 on errors.");
  }

  base::Result<int> run() override {
    std::string line;
    for (const std::string& word : words_) (line += &word == &words_.front() ? "" : " ") += word;
    // With a key it is typed once, however often it has to be asked for.
    const auto key = session::random_id();
    if (!key) return base::fail(key.error());
    json::object body{{"text", line},
                      {"timeout", kFirstWait.count()},
                      {"untilOutput", true},
                      {"idempotencyKey", *key}};
    conditions_.put_into(body);
    auto news = call_patiently("POST", path("/exec"), body);
    if (!news) return base::fail(news.error());
    // From here on the offset tells which command it is, whatever happens to the daemon.
    const std::string since = std::to_string(holdfast::count_in(*news, "offset"));
    for (;;) {
      print(*news);
      const std::string outcome = holdfast::text_in(*news, "outcome");
      if (outcome != "running") return finish(*news, outcome);
      const auto next = std::to_string(holdfast::count_in(*news, "next"));
      news = follow(path("/exec?since=" + since + "&timeout=60000&from=" + next));
      if (!news) return base::fail(news.error());
    }
  }

 private:
  base::Result<json::object> follow(const std::string& target) {
    for (;;) {
      auto news = call("GET", target);
      if (news) retries_.succeeded();
      if (news) return news;
      if (auto again = retries_.after(news.error()); !again) return base::fail(again.error());
    }
  }
  [[nodiscard]] std::string path(const std::string& rest) const {
    return "/terminals/" + base::encode_percents(target_) + rest;
  }

  // The daemon made it plain text.
  static void print(const json::object& news) {
    const std::string output = holdfast::text_in(news, "output");
    std::fwrite(output.data(), 1, output.size(), stdout);
    std::fflush(stdout);
    if (const auto left_out = holdfast::count_in(news, "leftOut"); left_out > 0)
      std::fprintf(stderr, "holdfast: %llu bytes of output are no longer kept\n",
                   static_cast<unsigned long long>(left_out));
  }

  [[nodiscard]] base::Result<int> finish(const json::object& news,
                                         const std::string& outcome) const {
    const json::value* const code = news.if_contains("exitCode");
    const int status =
        code != nullptr && code->is_int64() ? static_cast<int>(code->get_int64()) : 1;
    if (outcome == "ended") return status;
    if (outcome == "incomplete")
      return base::fail(base::Code::invalid_argument,
                        "the shell did not run the command: it is incomplete");
    if (outcome == "exited") return base::fail(base::Code::unsupported, "the shell has ended");
    std::fprintf(stderr, "holdfast: the shell did not run the command; look at the terminal\n");
    return status == 0 ? 1 : status;
  }

  std::string target_;
  std::vector<std::string> words_;
  TypingConditions conditions_;
  Retries retries_;
};

}  // namespace

std::unique_ptr<Command> make_exec_command(const Arguments& holdfast) {
  return std::make_unique<ExecCommand>(holdfast);
}

}  // namespace cli
