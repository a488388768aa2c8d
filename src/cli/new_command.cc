#include <cstdio>
#include <filesystem>

#include <boost/json.hpp>

#include "cli/command.h"
#include "cli/request.h"
#include "daemon/control_connection.h"

namespace cli {
namespace {

namespace json = boost::json;

class NewCommand final : public Command {
 public:
  explicit NewCommand(CLI::App& holdfast)
      : Command(holdfast, "new", "Create a terminal, and print its id") {
    command().add_option("-s,--session", session_, "The session to create it in; main by default");
    command().add_option("-n,--name", name_, "A name for it");
    command().add_option("-C,--directory", directory_,
                         "The directory to start in; the current one by default");
    command().add_option("--cols", cols_, "Its width; 80 by default");
    command().add_option("--rows", rows_, "Its height; 24 by default");
    command().add_flag("--json", json_, "Print JSON");
    command().add_option("command", words_, "The program and its arguments, after --");
  }

  base::Result<int> run() override {
    json::object body;
    if (!session_.empty()) body["session"] = session_;
    if (!name_.empty()) body["name"] = name_;
    body["workDir"] = (directory_.empty() ? std::filesystem::current_path()
                                          : std::filesystem::absolute(directory_))
                          .native();
    if (cols_ > 0) body["cols"] = cols_;
    if (rows_ > 0) body["rows"] = rows_;
    if (!words_.empty()) body["command"] = json::value_from(words_);
    const auto made = call("POST", "/terminals", body);
    if (!made) return base::fail(made.error());
    std::printf("%s\n", json_ ? json::serialize(*made).c_str()
                              : holdfast::text_in(*made, "terminalId").c_str());
    return 0;
  }

 private:
  std::string session_;
  std::string name_;
  std::string directory_;
  int cols_ = 0;
  int rows_ = 0;
  bool json_ = false;
  std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<Command> make_new_command(CLI::App& holdfast) {
  return std::make_unique<NewCommand>(holdfast);
}

}  // namespace cli
