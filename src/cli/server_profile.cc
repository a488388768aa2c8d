#include "cli/server_profile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include <boost/json.hpp>

#include "base/environment.h"
#include "base/fd.h"
#include "base/percent.h"
#include "config/setting.h"
#include "daemon/control_connection.h"
#include "session/private_files.h"

namespace cli {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

base::Result<fs::path> directory() {
  const config::Surroundings around = config::process_surroundings();
  const fs::path configured = around.environment("XDG_CONFIG_HOME");
  if (configured.is_absolute()) return configured / "holdfast" / "servers";
  if (around.home.empty())
    return base::fail(base::Code::not_found, "there is no home directory", "Set XDG_CONFIG_HOME.");
  return around.home / ".config" / "holdfast" / "servers";
}

base::Result<fs::path> file_of(const ServerAddress& address) {
  auto dir = directory();
  if (!dir) return dir;
  return *dir / (base::encode_percents(address.url()) + ".json");
}

// It replaces the old one at once, so that nobody ever reads half of it.
base::Status write_private(const fs::path& path, const std::string& text) {
  const fs::path fresh = path.native() + ".new";
  (void)::unlink(fresh.c_str());  // What an interrupted one has left.
  const base::Fd file(::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.valid()) return base::fail(base::errno_error(errno, "create " + fresh.native()));
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::fsync(file.get()) < 0 || ::rename(fresh.c_str(), path.c_str()) < 0)
    return base::fail(base::errno_error(errno, "write " + path.native()));
  return {};
}

}  // namespace

base::Result<ServerProfile> load_profile(const ServerAddress& address) {
  const auto path = file_of(address);
  if (!path) return base::fail(path.error());
  std::ifstream file(*path);
  if (!file)
    return base::fail(
        base::Code::not_found, "there is no token for " + address.url(),
        "Use --token-file or HOLDFAST_TOKEN, or run: holdfast login " + address.url());
  const std::string text(std::istreambuf_iterator<char>(file), {});
  json::error_code error;
  const json::value parsed = json::parse(text, error);
  if (error || !parsed.is_object() || holdfast::text_in(parsed.get_object(), "token").empty())
    return base::fail(base::Code::corrupt, "cannot read " + path->native(),
                      "Run: holdfast login " + address.url());
  return ServerProfile{.token = holdfast::text_in(parsed.get_object(), "token"),
                       .ca = holdfast::text_in(parsed.get_object(), "ca")};
}

base::Status save_profile(const ServerAddress& address, const ServerProfile& profile) {
  const auto path = file_of(address);
  if (!path) return base::fail(path.error());
  std::error_code error;
  fs::create_directories(path->parent_path().parent_path(), error);
  if (auto prepared = session::prepare_private_directory(path->parent_path()); !prepared)
    return prepared;
  return write_private(
      *path,
      json::serialize(json::object{{"token", profile.token}, {"ca", profile.ca.native()}}) + "\n");
}

base::Result<bool> remove_profile(const ServerAddress& address) {
  const auto path = file_of(address);
  if (!path) return base::fail(path.error());
  if (::unlink(path->c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  return base::fail(base::errno_error(errno, "remove " + path->native()));
}

base::Result<std::string> read_token_file(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  if (!file || !std::getline(file, line))
    return base::fail(base::Code::not_found, "cannot read a token from " + path.native());
  while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
  if (line.empty()) return base::fail(base::Code::invalid_argument, path.native() + " is empty");
  return line;
}

}  // namespace cli
