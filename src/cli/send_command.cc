#include <cstdio>
#include <iostream>
#include <iterator>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"
#include "cli/typing_conditions.h"

namespace cli {
namespace {

namespace json = boost::json;

class SendCommand final : public Command {
 public:
  explicit SendCommand(const Arguments& holdfast)
      : Command(holdfast, "send", "Type into a terminal") {
    takes_target(target_);
    command().add_option("text", words_,
                         "What to type; several arguments are joined by spaces, and - alone reads "
                         "standard input");
    const Argument keys = command().add_flag(
        "-k,--keys", keys_, "The arguments are names of keys: Enter, Up, F5, C-c, M-x");
    command()
        .add_flag("-p,--paste", paste_, "Paste it: in brackets if the program asked for that")
        .excludes(keys);
    command()
        .add_flag("-l,--literal", literal_, "Take - alone as text, not as standard input")
        .excludes(keys);
    command().add_flag("-e,--enter", enter_, "Press Enter afterwards");
    command().add_option("--key", key_,
                         "Type it once, however often it is sent with this key; tries again while "
                         "the daemon is away");
    conditions_.add_to(command());
    command().add_flag("--json", json_, "Print the offset at which the input was taken, as JSON");
    command().check([this]() -> base::Status {
      if (!words_.empty() || enter_) return {};
      return base::fail(base::Code::invalid_argument, "there is nothing to type",
                        "Give text, or use --enter.");
    });
    explain(command(), {"holdfast send build make --enter", "holdfast send build --keys C-c",
                        "holdfast send build --paste - < patch"});
  }

  base::Result<int> run() override {
    json::object body;
    if (keys_)
      body["keys"] = json::value_from(words_);
    else if (!words_.empty())
      body[paste_ ? "paste" : "text"] = text();
    if (enter_) body["enter"] = true;
    if (!key_.empty()) body["idempotencyKey"] = key_;
    conditions_.put_into(body);
    const std::string target = "/terminals/" + base::encode_percents(target_) + "/send";
    const auto sent =
        key_.empty() ? call("POST", target, body) : call_patiently("POST", target, body);
    if (!sent) return base::fail(sent.error());
    if (json_) std::printf("%s\n", json::serialize(*sent).c_str());
    return 0;
  }

 private:
  [[nodiscard]] std::string text() const {
    if (!literal_ && words_.size() == 1 && words_.front() == "-")
      return {std::istreambuf_iterator<char>(std::cin), {}};
    std::string all;
    for (const std::string& word : words_) (all += &word == &words_.front() ? "" : " ") += word;
    return all;
  }

  std::string target_;
  std::vector<std::string> words_;
  std::string key_;
  TypingConditions conditions_;
  bool keys_ = false;
  bool paste_ = false;
  bool literal_ = false;
  bool enter_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_send_command(const Arguments& holdfast) {
  return std::make_unique<SendCommand>(holdfast);
}

}  // namespace cli
