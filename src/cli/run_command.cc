#include "cli/run_command.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>

#include <boost/json.hpp>

#include "base/printable.h"
#include "cli/command.h"
#include "cli/conversation.h"
#include "daemon/control_connection.h"

namespace cli {

namespace json = boost::json;
using holdfast::text_in;

namespace {

constexpr int kShow = 1;  // Request numbers.
constexpr int kRun = 2;

// The text comes from programs and extensions, so escape control sequences on a terminal. A file or
// a pipe gets every byte.
void print(std::FILE* where, const std::string& text) {
  const bool is_terminal = ::isatty(::fileno(where)) == 1;
  const std::string shown = is_terminal ? base::printable(text, base::Lines::many) : text;
  std::fwrite(shown.data(), 1, shown.size(), where);
  std::fflush(where);
}

// The line that was typed, or none at end of input.
std::optional<std::string> typed(const std::string& prompt) {
  print(stderr, prompt);
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

json::value ask(const json::object& question) {
  const std::string kind = text_in(question, "kind");
  std::string prompt = text_in(question, "title");
  if (const auto message = text_in(question, "message"); !message.empty()) prompt += "\n" + message;
  if (kind == "confirm") {
    const auto answer = typed(prompt + " [y/N] ");
    return answer && (*answer == "y" || *answer == "Y" || *answer == "yes");
  }
  if (kind == "input") {
    const auto answer = typed(prompt + ": ");
    return answer ? json::value(*answer) : json::value();
  }
  const json::value* const options = question.if_contains("options");
  if (options == nullptr || !options->is_array()) return nullptr;
  const json::array& list = options->get_array();
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].is_string())
      prompt += "\n  " + std::to_string(i + 1) + ") " + std::string(list[i].get_string());
  const auto answer = typed(prompt + "\n? ");
  const auto chosen = answer ? std::strtoul(answer->c_str(), nullptr, 10) : 0;
  return chosen >= 1 && chosen <= list.size() ? list[chosen - 1] : json::value();
}

// Prints what is left of the result and returns the exit code.
int finish(const json::object& data, const std::string& shown) {
  if (const auto error = text_in(data, "error"); !error.empty()) {
    print(stderr, "holdfast: " + error + "\n");
    return 1;
  }
  std::string text = text_in(data, "text");
  if (text.starts_with(shown))
    text.erase(0, shown.size());
  else if (!shown.empty())  // Long output has lost its beginning.
    text.clear();
  if (!text.empty() && text.back() != '\n') text += '\n';
  print(stdout, text);
  const json::value* const code = data.if_contains("exitCode");
  return code != nullptr && code->is_int64() ? static_cast<int>(code->get_int64()) : 0;
}

class RunCommand final : public Command {
 public:
  explicit RunCommand(const Arguments& holdfast);
  base::Result<int> run() override;

 private:
  std::string session_;
  std::string line_;
};

}  // namespace

RunCommand::RunCommand(const Arguments& holdfast)
    : Command(holdfast, "run", "Run an extension command or a shell command in a session") {
  command()
      .add_option("session", session_, "Name of the session; the default session is main")
      .required();
  command()
      .add_option("line", line_,
                  "'/command arguments' or '! shell command'; /help lists the commands")
      .required();
  explain(command(), {"holdfast run main /help", "holdfast run main '! make'"},
          "Prints what it prints. The questions of an extension are asked on a terminal; without "
          "one they are left to others who watch the session.\n\n"
          "Exit status: that of the shell command, 0 if an extension's command succeeded, and 1 on "
          "errors.");
}

base::Result<int> RunCommand::run() {
  return run_line(session_, line_);
}

base::Result<int> run_line(const std::string& session, const std::string& line) {
  Conversation daemon;
  if (auto opened = daemon.open(); !opened) return base::fail(opened.error());
  if (auto sent = daemon.send("commands", {{"session", session}}, kShow); !sent)
    return base::fail(sent.error());
  if (auto sent = daemon.send("run", {{"session", session}, {"line", line}}, kRun); !sent)
    return base::fail(sent.error());
  std::string shown;
  for (;;) {
    auto message = daemon.receive();
    if (!message) return base::fail(message.error());
    const std::string type = text_in(*message, "type");
    const json::value* const found = message->if_contains("data");
    if (found == nullptr || !found->is_object()) continue;
    const json::object& data = found->get_object();
    if (type == "notify")
      print(stderr, text_in(data, "level") + ": " + text_in(data, "text") + "\n");
    if (type == "progress") {
      shown += text_in(data, "text");
      print(stdout, text_in(data, "text"));
    }
    // Without a terminal, leave the question to others who watch the session.
    if (type == "ui_request" && ::isatty(STDIN_FILENO) == 1)
      if (auto sent = daemon.send("ui_answer", {{"id", text_in(data, "id")}, {"value", ask(data)}});
          !sent)
        return base::fail(sent.error());
    if (type == "error")
      return base::fail(base::Code::invalid_argument, text_in(data, "error"),
                        text_in(data, "details"));
    if (type == "result") return finish(data, shown);
  }
}

std::unique_ptr<Command> make_run_command(const Arguments& holdfast) {
  return std::make_unique<RunCommand>(holdfast);
}

}  // namespace cli
