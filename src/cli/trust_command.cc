#include "cli/trust_command.h"

#include <cstdio>
#include <filesystem>

#include "base/printable.h"
#include "cli/command.h"
#include "cli/open_store.h"
#include "config/load.h"
#include "session/store.h"

namespace cli {

TrustCommand::TrustCommand(const Arguments& app)
    : trust_(app.add_subcommand(
          "trust", "Let sessions in a directory load extensions from its .holdfast/extensions")) {
  trust_.add_option("directory", directory_,
                    "The directory to trust; omit it to list trusted directories");
  trust_.add_option("--user", user_, "The user whose sessions may load them");
  trust_.add_flag("--remove", remove_, "Stop trusting the directory");
  explain(trust_, {"holdfast trust ~/src/project"});
}

base::Status TrustCommand::run() const {
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
    for (const std::string& each : *trusted) std::puts(base::printable(each).c_str());
    return {};
  }
  std::error_code error;
  const auto directory = std::filesystem::canonical(directory_, error);
  if (error)
    return base::fail(base::errno_error(error.value(), "find the directory " + directory_));
  return remove_ ? records.distrust(user->id, directory.string())
                 : records.trust(user->id, directory.string());
}

}  // namespace cli
