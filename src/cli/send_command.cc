#include <cstdio>
#include <iostream>
#include <iterator>

#include <boost/json.hpp>

#include "base/percent.h"
#include "cli/command.h"
#include "cli/request.h"

namespace cli {
namespace {

namespace json = boost::json;

class SendCommand final : public Command {
 public:
  explicit SendCommand(CLI::App& holdfast) : Command(holdfast, "send", "Type into a terminal") {
    takes_target(target_);
    command().add_option("text", words_, "What to type; several arguments are joined by spaces");
    auto* const keys = command().add_flag(
        "-k,--keys", keys_, "The arguments are names of keys: Enter, Up, F5, C-c, M-x");
    command()
        .add_flag("-p,--paste", paste_,
                  "Paste it: in brackets if the program asked for that; - reads standard input")
        ->excludes(keys);
    command().add_flag("-e,--enter", enter_, "Press Enter afterwards");
    command().add_flag("--json", json_, "Print the offset at which the input was taken, as JSON");
  }

  base::Result<int> run() override {
    json::object body;
    if (keys_)
      body["keys"] = json::value_from(words_);
    else if (!words_.empty())
      body[paste_ ? "paste" : "text"] = text();
    if (enter_) body["enter"] = true;
    const auto sent = call("POST", "/terminals/" + base::encode_percents(target_) + "/send", body);
    if (!sent) return base::fail(sent.error());
    if (json_) std::printf("%s\n", json::serialize(*sent).c_str());
    return 0;
  }

 private:
  [[nodiscard]] std::string text() const {
    if (words_.size() == 1 && words_.front() == "-")
      return {std::istreambuf_iterator<char>(std::cin), {}};
    std::string all;
    for (const std::string& word : words_) (all += &word == &words_.front() ? "" : " ") += word;
    return all;
  }

  std::string target_;
  std::vector<std::string> words_;
  bool keys_ = false;
  bool paste_ = false;
  bool enter_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_send_command(CLI::App& holdfast) {
  return std::make_unique<SendCommand>(holdfast);
}

}  // namespace cli
