#include "terminal/working_directory.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "base/fd.h"
#include "base/percent.h"

namespace terminal {
namespace {

bool is_this_machine(std::string_view host) {
  if (host.empty() || host == "localhost") return true;
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 && host == name.data();
}

}  // namespace

std::string path_of_file_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return {};
  uri.remove_prefix(kScheme.size());
  const std::size_t slash = uri.find('/');
  if (slash == std::string_view::npos || !is_this_machine(uri.substr(0, slash))) return {};
  std::string path = base::decode_percents(uri.substr(slash));
  return path.find('\0') == std::string::npos ? path : std::string();
}

std::string working_directory_of(std::string_view uri, pid_t pid, std::optional<uid_t> account) {
  if (std::string path = path_of_file_uri(uri); !path.empty() || pid == 0) return path;
  // The descriptor makes sure that both calls are about the same process.
  const std::string name = "/proc/" + std::to_string(pid);
  const base::Fd process(::open(name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat owner{};
  if (!process || (account && (::fstat(process.get(), &owner) < 0 || owner.st_uid != *account)))
    return {};
  std::array<char, PATH_MAX> path{};
  const ssize_t size = ::readlinkat(process.get(), "cwd", path.data(), path.size());
  return size < 0 ? std::string() : std::string(path.data(), static_cast<std::size_t>(size));
}

}  // namespace terminal
