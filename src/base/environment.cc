#include "base/environment.h"

#include <unistd.h>

#include <cstdlib>

namespace base {

Environment process_environment() {
  return [](std::string_view name) -> std::string {
    const char* value = std::getenv(std::string(name).c_str());
    return value == nullptr ? "" : value;
  };
}

std::filesystem::path default_runtime_dir(const Environment& environment) {
  if (const auto dir = environment("HOLDFAST_RUNTIME_DIR"); !dir.empty()) return dir;
  if (const auto dir = environment("XDG_RUNTIME_DIR"); !dir.empty())
    return std::filesystem::path(dir) / "holdfast";
  return "/tmp/holdfast-" + std::to_string(::geteuid());
}

}  // namespace base
