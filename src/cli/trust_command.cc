// `holdfast trust`: the directories whose own extensions a user trusts. It works on the store, like
// `holdfast token`. A daemon sees the change at the next /reload.

#include <cstdio>
#include <filesystem>

#include <boost/json.hpp>

#include "base/printable.h"
#include "cli/command.h"
#include "cli/open_store.h"
#include "config/load.h"
#include "session/store.h"

namespace cli {
namespace {

namespace json = boost::json;

class TrustCommand final : public Command {
 public:
  explicit TrustCommand(const Arguments& holdfast);
  base::Result<int> run() override;

 private:
  std::string directory_;
  std::string user_ = "default";
  bool remove_ = false;
  bool json_ = false;
};

}  // namespace

TrustCommand::TrustCommand(const Arguments& holdfast)
    : Command(holdfast, "trust",
              "Let sessions in a directory load extensions from its .holdfast/extensions",
              Where::here) {
  command().add_option("directory", directory_,
                       "The directory to trust; omit it to list trusted directories");
  command().add_option("--user", user_, "The user whose sessions may load them");
  command().add_flag("--remove", remove_, "Stop trusting the directory");
  command().add_flag("--json", json_, "Print the list as JSON");
  explain(command(), {"holdfast trust ~/src/project", "holdfast trust --json"});
}

base::Result<int> TrustCommand::run() {
  const auto config = config::load({}, config::process_surroundings());
  if (!config) return base::fail(config.error());
  auto store = open_store(config->state_dir);
  if (!store) return base::fail(store.error());
  const auto user = store->ensure_user(user_);
  if (!user) return base::fail(user.error());
  auto records = store->extensions();
  if (directory_.empty()) {
    const auto trusted = records.trusted(user->id);
    if (!trusted) return base::fail(trusted.error());
    if (json_) {
      const json::object all{{"directories", json::value_from(*trusted)}};
      std::printf("%s\n", json::serialize(all).c_str());
    } else {
      for (const std::string& each : *trusted) std::puts(base::printable(each).c_str());
    }
    return 0;
  }
  std::error_code error;
  const auto directory = std::filesystem::canonical(directory_, error);
  if (error)
    return base::fail(base::errno_error(error.value(), "find the directory " + directory_));
  return exit_status(remove_ ? records.distrust(user->id, directory.string())
                             : records.trust(user->id, directory.string()));
}

std::unique_ptr<Command> make_trust_command(const Arguments& holdfast) {
  return std::make_unique<TrustCommand>(holdfast);
}

}  // namespace cli
