// `holdfast extension`: starts an extension from a template, and runs an extension's own tests. Both
// are Node programs beside the runner, which this replaces itself with.

#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/program.h"
#include "cli/command.h"
#include "config/load.h"
#include "extension/node.h"
#include "extension/runner.h"

namespace cli {
namespace {

constexpr const char* kScript = "extension.mjs";

class ExtensionCommand final : public Command {
 public:
  explicit ExtensionCommand(const Arguments& holdfast);
  base::Result<int> run() override;

 private:
  Arguments new_;
  std::string name_;
  std::string which_ = ".";
};

// A folder, or the name of one among the extensions for all sessions.
std::filesystem::path find(const std::string& which, const std::filesystem::path& extensions_dir) {
  std::error_code error;
  const std::filesystem::path named = extensions_dir / which;
  if (!std::filesystem::exists(which, error) && std::filesystem::exists(named, error)) return named;
  return std::filesystem::absolute(which, error).lexically_normal();
}

// Returns only on failure.
base::Error become_node(const std::string& node, const std::vector<std::string>& words) {
  std::vector<std::string> argv{node,
                                (extension::runner_script().parent_path() / kScript).string()};
  argv.insert(argv.end(), words.begin(), words.end());
  ::execvp(node.c_str(), base::pointers_to(argv).data());
  return base::errno_error(errno, "run " + node, extension::kNodeAdvice);
}

}  // namespace

ExtensionCommand::ExtensionCommand(const Arguments& holdfast)
    : Command(holdfast, "extension", "Start an extension from a template, and test extensions",
              Where::here),
      new_(command().add_subcommand("new", "Create an extension for all sessions, with a test")) {
  command().require_subcommand();
  new_.add_option("name", name_, "Its name, in small letters; also that of its first command")
      .required();
  const Arguments test = command().add_subcommand(
      "test", "Run an extension's tests, each against a new session of a daemon of their own");
  test.add_option("extension", which_, "The extension's folder, or its name; by default this one");
  explain(command(), {"holdfast extension new greeter", "holdfast extension test greeter"});
}

base::Result<int> ExtensionCommand::run() {
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  if (new_.was_given())
    return base::fail(
        become_node(config->node, {"new", (config->extensions_dir / name_).string()}));
  std::error_code error;
  const auto holdfast = std::filesystem::read_symlink("/proc/self/exe", error);
  return base::fail(
      become_node(config->node, {"test", find(which_, config->extensions_dir).string(),
                                 error ? std::string("holdfast") : holdfast.string()}));
}

std::unique_ptr<Command> make_extension_command(const Arguments& holdfast) {
  return std::make_unique<ExtensionCommand>(holdfast);
}

}  // namespace cli
