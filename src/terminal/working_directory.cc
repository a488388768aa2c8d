#include "terminal/working_directory.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <system_error>

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

std::string working_directory_of(std::string_view uri, pid_t pid) {
  if (std::string path = path_of_file_uri(uri); !path.empty() || pid == 0) return path;
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/cwd", error);
  return error ? std::string() : path.string();
}

}  // namespace terminal
