#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include <boost/json.hpp>

#include "cli/attach_command.h"
#include "cli/attached_environment.h"
#include "cli/command.h"
#include "cli/detach_keys_option.h"
#include "cli/request.h"

namespace cli {
namespace {

namespace json = boost::json;

class NewCommand final : public Command {
 public:
  explicit NewCommand(const Arguments& holdfast)
      : Command(holdfast, "new", "Create a terminal, and attach to it or print its id") {
    command().add_option("-s,--session", session_,
                         "The session to create it in, which is created if there is none of that "
                         "name; main by default");
    command().add_option("-n,--name", name_, "A name for it");
    command().add_flag("-d,--detached", detached_, "Do not attach: print its id");
    detach_keys_.add_to(command());
    command().add_option("-C,--directory", directory_,
                         "The directory to start in; the current one by default, or with --server "
                         "the home directory");
    command().add_option("--cols", cols_, "Its width; 80 by default");
    command().add_option("--rows", rows_, "Its height; 24 by default");
    command().add_flag("--json", json_, "Do not attach: describe it as JSON");
    command().add_option("command", words_, "The program and its arguments, after --");
    explain(command(), {"holdfast new -n work", "holdfast new -d -n build -s project -- make -j4"},
            "It attaches if standard input and output are a terminal, unless that is one of "
            "Holdfast's. The new terminal then has its size, and the exit status is that of "
            "attach.");
  }

  base::Result<int> run() override {
    if (!attaches()) return create_only();
    auto keys = detach_keys_.chosen();
    if (!keys) return base::fail(keys.error());
    auto outer = OuterTerminal::open();
    if (!outer) return base::fail(outer.error());
    keep_own_environment();
    const auto made = create((*outer)->size(), attached_environment());
    if (!made) return base::fail(made.error());
    return attach_to(**outer, described(*made), std::move(*keys), false);
  }

 private:
  [[nodiscard]] bool attaches() const {
    if (detached_ || json_ || ::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1)
      return false;
    if (own_terminal().empty()) return true;
    std::fputs("holdfast: not attached: this is already a terminal of Holdfast\n", stderr);
    return false;
  }

  [[nodiscard]] base::Result<int> create_only() const {
    const auto made = create({}, {});
    if (!made) return base::fail(made.error());
    std::printf("%s\n", json_ ? json::serialize(*made).c_str() : described(*made).id.c_str());
    return 0;
  }

  [[nodiscard]] base::Result<json::object> create(OuterSize size,
                                                  const Variables& variables) const {
    json::object body{{"cols", cols_ > 0 ? cols_ : size.cols},
                      {"rows", rows_ > 0 ? rows_ : size.rows}};
    if (!session_.empty()) body["session"] = session_;
    if (!name_.empty()) body["name"] = name_;
    // Elsewhere, paths are the server's.
    if (is_elsewhere() && !directory_.empty()) body["workDir"] = directory_;
    if (!is_elsewhere())
      body["workDir"] = (directory_.empty() ? std::filesystem::current_path()
                                            : std::filesystem::absolute(directory_))
                            .native();
    json::object& env = body["env"].emplace_object();
    for (const auto& [name, value] : variables) env[name] = value;
    if (!words_.empty()) body["command"] = json::value_from(words_);
    auto made = call("POST", "/terminals", body);
    if (made || session_.empty() || made.error().code != base::Code::not_found) return made;
    if (auto session = call("POST", "/sessions", {{"name", session_}}); !session)
      return base::fail(session.error());
    return call("POST", "/terminals", body);
  }

  std::string session_;
  std::string name_;
  std::string directory_;
  int cols_ = 0;
  int rows_ = 0;
  DetachKeysOption detach_keys_;
  bool detached_ = false;
  bool json_ = false;
  std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<Command> make_new_command(const Arguments& holdfast) {
  return std::make_unique<NewCommand>(holdfast);
}

}  // namespace cli
